import RegistryAPI
import RegistryRules

/// The quotas of an owner, and the limits for what an owner may do in a day (``DailyUse``).
package struct OwnerLimits {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The quotas of an owner: the registry’s, unless an operator has set others for this owner.
    ///
    /// - Parameters:
    ///   - owner: the owner’s key.
    ///   - settings: the registry’s quotas.
    func quotas(of owner: Int64, _ settings: Quotas) throws -> Quotas {
        let exceptions = try exceptions(of: owner)
        var quotas = settings
        for quota in Quota.allCases { quotas[quota] = exceptions[quota] ?? quotas[quota] }
        return quotas
    }

    /// The quotas that an operator has set for an owner, by the owner’s key.
    func exceptions(of owner: Int64) throws -> QuotaExceptions {
        var exceptions = QuotaExceptions()
        for row in try db.rows("SELECT quota, most FROM owner_quota WHERE owner = ?", [owner]) {
            guard let quota = Quota(rawValue: try row["quota"]) else { continue }
            exceptions[quota] = Int(clamping: try row["most"] as Int64)
        }
        return exceptions
    }

    /// Refuses one more of what a quota limits.
    ///
    /// - Throws: `quotaReached` if the owner has used up the quota.
    func requireRoom(for quota: Quota, of owner: Int64, _ settings: Quotas) throws {
        let limit = try quotas(of: owner, settings)[quota]
        let sql = "SELECT count(*) FROM (\(Self.holdings(of: quota)) LIMIT ?) AS held"
        let count = try db.integer(sql, [owner, limit]) ?? 0
        guard count < limit else { throw DomainError.quotaReached(quota, most: limit) }
    }

    /// Counts a use that is limited per day.
    ///
    /// - Throws: `tooManyToday`, with the time after which the use is allowed again.
    func noteUse(_ use: DailyUse, by owner: Int64, _ settings: Quotas, at time: Timestamp) throws {
        let limit = use.limit(for: try quotas(of: owner, settings))
        let begin = time.advanced(by: .zero - DailyUse.window).milliseconds
        // The earlier use that must be a day old before another one is allowed.
        let sql = """
            SELECT time FROM daily_use WHERE owner = ? AND use = ? AND time > ? ORDER BY time DESC LIMIT 1 OFFSET ?
            """
        let blocking = try db.row(sql, [owner, use.rawValue, begin, max(limit - 1, 0)])?.timestamp("time")
        guard blocking == nil, limit > 0 else {
            let free = (blocking ?? time).advanced(by: DailyUse.window)
            throw DomainError.tooManyToday(use, retryAfter: time.duration(to: free))
        }
        try db.run(
            "INSERT INTO daily_use (owner, use, time) VALUES (?, ?, ?)", [owner, use.rawValue, time.milliseconds])
    }

    /// Forgets the uses of a day, so that all are allowed again.
    func forgetUses(_ use: DailyUse, by owner: Int64) throws {
        try db.run("DELETE FROM daily_use WHERE owner = ? AND use = ?", [owner, use.rawValue])
    }

    /// The rows that count against a quota. Parameter: the owner’s key.
    private static func holdings(of quota: Quota) -> String {
        switch quota {
        case .bikes: "SELECT 1 FROM bike WHERE owner = ? AND beacon IS NOT NULL"
        case .channels: "SELECT 1 FROM channel WHERE owner = ? AND removed IS NULL"
        case .tokens: "SELECT 1 FROM token WHERE owner = ? AND expires IS NULL"
        case .photos: "SELECT 1 FROM bike JOIN photo ON photo.bike = bike.key WHERE bike.owner = ?"
        case .openReports:
            "SELECT 1 FROM bike JOIN report ON report.bike = bike.key AND report.closed IS NULL WHERE bike.owner = ?"
        }
    }
}
