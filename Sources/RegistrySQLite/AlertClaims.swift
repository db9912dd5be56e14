import GRDB
import Registry
import RegistryAPI

/// How many places of a kind one owner's alerts may take, and how many they have.
struct OwnerShare {
    var most = Int.max
    /// By the owner's key.
    var taken: [Int64: Int] = [:]

    /// The keys of those who get no more, as a JSON array.
    var full: String { "[\(taken.filter { $0.value >= most }.keys.sorted().map(String.init).joined(separator: ","))]" }
}

/// Claims what is due of a kind, urgent alerts first, no owner's more than their share.
struct AlertClaims {
    let db: Database
    let kind: ChannelKind
    let now: Timestamp
    let lease: Timestamp
    var share: OwnerShare

    // CROSS JOIN: in the order of alert_due, however few channels there are.
    private static let waiting = """
        FROM alert CROSS JOIN channel ON channel.key = alert.channel
        WHERE alert.kind = ? AND urgent = ? AND due IS NOT NULL AND owner NOT IN (SELECT value FROM json_each(?))
        """

    static let due = "SELECT alert.key, owner \(waiting) AND due <= ? ORDER BY due, alert.key LIMIT ?"
    static let firstDue = "SELECT due \(waiting) ORDER BY due LIMIT 1"

    func claim(atMost limit: Int) throws -> [ClaimedAlert] {
        var share = share
        var claimed: [ClaimedAlert] = []
        for isUrgent in [true, false] {
            // Where an owner's share is used up, others' alerts stand behind.
            var isMoreDue = true
            while isMoreDue && claimed.count < limit {
                let due = try db.rows(
                    Self.due, [kind.rawValue, isUrgent, share.full, now.milliseconds, limit - claimed.count]
                )
                isMoreDue = false
                for row in due {
                    let owner: Int64 = try row["owner"]
                    guard share.taken[owner, default: 0] < share.most else {
                        isMoreDue = true
                        continue
                    }
                    guard let alert = try db.claim(row["key"], at: now, leaseUntil: lease) else { continue }
                    claimed.append(alert)
                    share.taken[owner, default: 0] += 1
                }
            }
        }
        return claimed
    }
}

extension Database {
    /// Owners that are erased meanwhile have nothing that waits.
    func share(of kind: ChannelKind, _ shares: OwnerShares) throws -> OwnerShare {
        guard let most = shares.most[kind] else { return OwnerShare() }
        var share = OwnerShare(most: most)
        for (owner, count) in shares.taken[kind] ?? [:] {
            guard let key = try integer("SELECT key FROM owner WHERE id = ?", [owner.blob]) else { continue }
            share.taken[key] = count
        }
        return share
    }
}
