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

    package func active(_ id: PartnerID) throws -> ActivePartner {
        guard let row = try db.row(Self.activeQuery + " AND partner.id = ?", [id.blob]) else {
            throw DomainError.notFound("partner")
        }
        return try ActivePartner(row)
    }

    private static let activeQuery = """
        SELECT partner.*, number, mark, checked FROM partner LEFT JOIN partner_list ON partner_list.partner = partner.key
        WHERE accepted IS NOT NULL AND suspended IS NULL AND removed IS NULL
        """

    package func noteUse(of key: Int64, at time: Timestamp) throws {
        try db.run("UPDATE partner SET used = ? WHERE key = ? AND used IS NULL", [time.milliseconds, key])
    }

    /// Counts visits of a partner against its limit for an hour.
    ///
    /// - Throws: `tooManyPartnerVisits`.
    package func admit(_ visits: Int, of key: Int64, at time: Timestamp) throws {
        guard let row = try db.row("SELECT hour, visits, most_visits FROM partner WHERE key = ?", [key]) else {
            throw DomainError.notFound("partner")
        }
        let hour = time.milliseconds / 3_600_000
        let before: Int64 = try row["hour"] == hour ? try row["visits"] : 0
        let most: Int64 = try row["most_visits"]
        guard before + Int64(visits) <= most else {
            // A smaller batch may be taken immediately.
            let rest = Int64(visits) > most ? 1000 : 3_600_000 - time.milliseconds % 3_600_000
            throw DomainError.tooManyPartnerVisits(retryAfter: .milliseconds(rest))
        }
        try db.run("UPDATE partner SET hour = ?, visits = ? WHERE key = ?", [hour, before + Int64(visits), key])
    }

    /// Lets one process at a time read a partner's list.
    ///
    /// - Parameter reader: the process's random number.
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
    fileprivate init(_ row: StoredRow) throws {
        let number: Int64? = try row["number"]
        let mark: Int64? = try row["mark"]
        self.init(
            key: try row["key"], id: try row.id("id"), name: try row["name"], url: try row["url"],
            secret: try row["secret"], publicKeys: Partners.keys(try row["public_keys"]),
            pseudonyms: Array(try row["pseudonyms"] as Data),
            limits: PartnerLimits(listed: try row["most_listed"], visits: try row["most_visits"]),
            isUsed: row.hasNonNull("used"),
            list: number.flatMap { number in
                mark.map { ListVersion(number: UInt64(bitPattern: number), mark: UInt64(bitPattern: $0)) }
            },
            checked: try row.optionalTimestamp("checked"))
    }
}
