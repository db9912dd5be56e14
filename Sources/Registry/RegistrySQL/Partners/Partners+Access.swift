import Foundation
import MissingList
package import RegistryAPI
package import RegistryRules

// The partner's access to this registry, and this registry's access to the partner.
extension Partners {
    /// The partner that a token authenticates; nil while it is suspended.
    func credential(token: SecretDigest) throws -> Credential? {
        let sql = "SELECT id FROM partner WHERE token = ? AND suspended IS NULL"
        return try db.row(sql, [token.blob]).map { Credential(.partner(try $0.id("id"))) }
    }

    /// The partners that are neither suspended nor removed.
    package func active() throws -> [ActivePartner] {
        try db.rows(Self.activeQuery + " ORDER BY partner.key", []).map(ActivePartner.init)
    }

    /// A partner that is neither suspended nor removed.
    ///
    /// - Throws: `notFound`.
    package func active(_ id: PartnerID) throws -> ActivePartner {
        guard let row = try db.row(Self.activeQuery + " AND partner.id = ?", [id.blob]) else {
            throw DomainError.notFound("partner")
        }
        return try ActivePartner(row)
    }

    /// Whether a partner is neither suspended nor removed, by the partner's key.
    func isActive(_ key: Int64) throws -> Bool {
        try db.exists("SELECT 1 FROM partner WHERE key = ? AND suspended IS NULL AND removed IS NULL", [key])
    }

    /// Partners that are neither suspended nor removed, with the versions of their lists.
    private static let activeQuery = """
        SELECT partner.*, number, mark, checked FROM partner LEFT JOIN partner_list ON partner_list.partner = partner.key
        WHERE accepted IS NOT NULL AND suspended IS NULL AND removed IS NULL
        """

    /// Records when a partner first used its token, by the partner’s key. A request may have begun before the token
    /// ended: it is no use of the next one.
    package func noteUse(of key: Int64, at time: Timestamp) throws {
        let sql = "UPDATE partner SET used = ? WHERE key = ? AND used IS NULL AND token IS NOT NULL"
        try db.run(sql, [time.milliseconds, key])
    }

    /// Counts visits of a partner against its limit for an hour.
    ///
    /// - Throws: `tooManyPartnerVisits`.
    package func admit(_ visits: Int, of key: Int64, at time: Timestamp) throws {
        guard let row = try db.row("SELECT hour, visits, most_visits FROM partner WHERE key = ?", [key]) else {
            throw DomainError.notFound("partner")
        }
        let hour = time.milliseconds / Self.hour
        let before: Int64 = try row["hour"] == hour ? try row["visits"] : 0
        let limit: Int64 = try row["most_visits"]
        guard before + Int64(visits) <= limit else {
            // A smaller batch may be taken immediately.
            let wait = Int64(visits) > limit ? 1000 : Self.hour - time.milliseconds % Self.hour
            throw DomainError.tooManyPartnerVisits(retryAfter: .milliseconds(wait))
        }
        try db.run("UPDATE partner SET hour = ?, visits = ? WHERE key = ?", [hour, before + Int64(visits), key])
    }

    /// An hour in milliseconds.
    private static let hour: Int64 = 3_600_000

    /// Lets one process at a time read a partner's list.
    ///
    /// - Parameters:
    ///   - key: the partner's key.
    ///   - reader: the process's random number.
    ///   - end: when another process may read the list.
    /// - Returns: whether this process may read it.
    package func lease(_ key: Int64, to reader: Int64, until end: Timestamp, at time: Timestamp) throws -> Bool {
        try db.run(
            """
            UPDATE partner SET reader = ?1, leased = ?2
            WHERE key = ?3 AND suspended IS NULL AND removed IS NULL
                AND (reader IS NULL OR reader = ?1 OR leased < ?4 OR leased > ?5)
            """,
            [
                reader, end.milliseconds, key, time.milliseconds,
                // A clock that was ahead must not hold the lease.
                time.advanced(by: .seconds(3600)).milliseconds,
            ])
        return db.changesCount == 1
    }
}

extension ActivePartner {
    /// Reads a row of a partner with the version of its list, if one is stored.
    fileprivate init(_ row: StoredRow) throws {
        let number: Int64? = try row["number"]
        let mark: Int64? = try row["mark"]
        var list: ListVersion?
        if let number, let mark {
            list = ListVersion(number: UInt64(bitPattern: number), mark: UInt64(bitPattern: mark))
        }
        self.init(
            key: try row["key"], id: try row.id("id"), name: try row["name"], url: try row["url"],
            secret: try row["secret"], publicKeys: Partners.keys(try row["public_keys"]),
            pseudonyms: Array(try row["pseudonyms"] as Data),
            limits: PartnerLimits(listed: try row["most_listed"], visits: try row["most_visits"]),
            isUsed: row.hasNonNull("used"),
            list: list, checked: try row.optionalTimestamp("checked"))
    }
}
