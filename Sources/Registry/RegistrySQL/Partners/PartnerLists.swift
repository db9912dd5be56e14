package import Beacons
import Foundation
package import MissingList
package import RegistryAPI
import RegistryRules

/// The missing lists of partners, which this registry’s stations get together with its own. A parameter `partner` is a
/// partner’s key.
package struct PartnerLists {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The hashes of all partners' lists.
    func all() throws -> [TruncatedHashes] {
        var lists: [TruncatedHashes] = []
        try db.eachRow("SELECT body FROM partner_list ORDER BY partner", []) { row in
            lists.append(try Self.list(try row["body"]).hashes)
        }
        return lists
    }

    /// The stored list of a partner; nil if none is.
    package func list(of partner: Int64) throws -> MissingIdentities? {
        try db.row("SELECT body FROM partner_list WHERE partner = ?", [partner]).map { try Self.list(try $0["body"]) }
    }

    /// Reads the column `body`.
    private static func list(_ body: Data) throws -> MissingIdentities {
        guard case .full(let list)? = try? ListMessage([UInt8](body)) else { throw CorruptRow(column: "body") }
        return list
    }

    /// What left and joined the lists after one version of this registry’s list, up to another.
    ///
    /// - Parameters:
    ///   - start: the number of the version that the caller has.
    ///   - end: the number of the last version.
    func changes(from start: Int64, to end: Int64) throws -> HashChanges {
        var changes = HashChanges()
        let sql = "SELECT removed, added FROM partner_list_change WHERE version > ? AND version <= ?"
        try db.eachRow(sql, [start, end]) { row in
            guard let removed = TruncatedHash.unpacked(try row["removed"] as Data),
                let added = TruncatedHash.unpacked(try row["added"] as Data)
            else { throw CorruptRow(column: "removed") }
            changes.removed += removed
            changes.added += added
        }
        return changes
    }

    /// Deletes the changes up to a version of this registry’s list.
    func forget(upTo version: Int64) throws {
        try db.run("DELETE FROM partner_list_change WHERE version <= ?", [version])
    }

    /// Stores a partner's list in place of the version that the caller knows.
    ///
    /// - Parameters:
    ///   - base: the stored version; nil if none is.
    ///   - changes: what leads from that version to the new one.
    /// - Returns: false if another version is stored, the partner is not active, or the lists of all partners would
    ///   become too long; then nothing changes.
    package func replace(
        _ base: ListVersion?, with list: MissingIdentities, _ changes: HashChanges, of partner: Int64,
        at time: Timestamp
    ) throws -> Bool {
        guard try Partners(db).isActive(partner), try version(of: partner) == base else { return false }
        let others = "SELECT CAST(coalesce(sum(entries), 0) AS BIGINT) FROM partner_list WHERE partner <> ?"
        guard try (db.integer(others, [partner]) ?? 0) + Int64(list.count) <= Int64(PartnerRules.mostListed) else {
            return false
        }
        try db.run(
            """
            INSERT INTO partner_list (partner, number, mark, entries, body, checked) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (partner) DO UPDATE SET number = excluded.number, mark = excluded.mark,
                entries = excluded.entries, body = excluded.body, checked = excluded.checked
            """,
            [
                partner, Int64(bitPattern: list.version.number), Int64(bitPattern: list.version.mark), list.count,
                list.encoded, time.milliseconds,
            ])
        try db.run("UPDATE partner SET list_failure = NULL WHERE key = ?", [partner])
        try journal(changes, of: partner)
        return true
    }

    /// Notes that the partner has confirmed its list, or why it could not be read.
    package func noteCheck(of partner: Int64, failure: String?, at time: Timestamp) throws {
        if failure == nil {
            try db.run("UPDATE partner_list SET checked = ? WHERE partner = ?", [time.milliseconds, partner])
        }
        try db.run("UPDATE partner SET list_failure = ? WHERE key = ?", [failure, partner])
    }

    /// Removes a partner's list.
    func empty(_ partner: Int64) throws {
        guard let list = try list(of: partner) else { return }
        try db.run("DELETE FROM partner_list WHERE partner = ?", [partner])
        try journal(HashChanges(removed: Array(list.hashes)), of: partner)
    }

    /// Journals changes for the next version of this registry’s list, which the transaction makes at its end. Several
    /// changes in one transaction are added up.
    private func journal(_ changes: HashChanges, of partner: Int64) throws {
        guard !changes.isEmpty else { return }
        var changes = changes
        guard let version = try db.integer("SELECT version + 1 FROM missing_list", []) else {
            throw CorruptRow(column: "version")
        }
        let earlier = "SELECT removed, added FROM partner_list_change WHERE version = ? AND partner = ?"
        if let row = try db.row(earlier, [version, partner]) {
            changes.removed += TruncatedHash.unpacked(try row["removed"] as Data) ?? []
            changes.added += TruncatedHash.unpacked(try row["added"] as Data) ?? []
        }
        try db.run(
            """
            INSERT INTO partner_list_change (version, partner, removed, added) VALUES (?, ?, ?, ?)
            ON CONFLICT (version, partner) DO UPDATE SET removed = excluded.removed, added = excluded.added
            """,
            [version, partner, TruncatedHash.packed(changes.removed), TruncatedHash.packed(changes.added)])
    }

    /// The version of the stored list; nil if none is stored.
    private func version(of partner: Int64) throws -> ListVersion? {
        guard let row = try db.row("SELECT number, mark FROM partner_list WHERE partner = ?", [partner]) else {
            return nil
        }
        return ListVersion(
            number: UInt64(bitPattern: try row["number"]), mark: UInt64(bitPattern: try row["mark"]))
    }
}

/// The registry's own missing list, as partners read it: without the bikes that only its own stations may search for,
/// without tests and without the canary.
package struct SharedList {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The listed identities that partners do not get.
    package func withheld() throws -> Set<BeaconIdentity> {
        var withheld: Set<BeaconIdentity> = []
        for sql in [Self.plain, Self.rotating] {
            try db.eachColumns(sql, []) { _ = withheld.insert(try $0.identity()) }
        }
        return withheld
    }

    /// Listed beacons that do not rotate and that partners do not get, unless another reason puts them on the list.
    private static let plain = """
        SELECT held.beacon FROM (
            SELECT beacon FROM canary
            UNION SELECT bike.beacon FROM report JOIN bike ON bike.key = report.bike
                WHERE report.closed IS NULL AND report.only_here = 1
            UNION SELECT bike.beacon FROM beacon_claim JOIN bike ON bike.key = beacon_claim.bike
                WHERE test_ends IS NOT NULL
            UNION SELECT beacon FROM identity WHERE tested_until IS NOT NULL
        ) AS held JOIN missing_list_entry ON missing_list_entry.beacon = held.beacon
        WHERE NOT EXISTS (
            SELECT 1 FROM bike JOIN report ON report.bike = bike.key
            WHERE bike.beacon = held.beacon AND report.closed IS NULL AND report.listed = 1 AND only_here = 0
        )
        """

    /// The listed identities of rotating beacons whose bikes only this registry’s stations may search for.
    private static let rotating = """
        SELECT rotating_slot.beacon
        FROM report JOIN bike ON bike.key = report.bike
        JOIN rotating_beacon ON rotating_beacon.beacon = bike.beacon
        JOIN rotating_slot ON rotating_slot.rotating = rotating_beacon.key
        WHERE report.closed IS NULL AND report.only_here = 1 AND listed_first IS NOT NULL
            AND rotating_slot.slot BETWEEN listed_first AND listed_last
        """
}
