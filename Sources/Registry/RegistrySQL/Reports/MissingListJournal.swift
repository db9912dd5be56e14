import Beacons
import Foundation
package import MissingList
package import RegistryAPI
package import RegistryRules

/// The missing list, its version, and the journal of its changes.
package struct MissingListJournal {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Gives the list a new version if changed reports or bikes affect it. Every write transaction ends with this call.
    ///
    /// - Returns: whether there is a new version.
    @discardableResult
    package func advance() throws -> Bool {
        let sql = "SELECT 1 WHERE EXISTS (SELECT 1 FROM missing_list_touched) OR EXISTS (\(Self.coming))"
        guard try db.exists(sql, []) else { return false }
        try db.run(
            """
            INSERT INTO missing_list_change (version, beacon, listed)
            SELECT (SELECT version + 1 FROM missing_list), beacon, CASE WHEN \(isListed) THEN 1 ELSE 0 END
            FROM missing_list_touched
            WHERE \(isListed) <> EXISTS (
                SELECT 1 FROM missing_list_entry WHERE missing_list_entry.beacon = missing_list_touched.beacon
            ) AND NOT EXISTS (
                SELECT 1 FROM rotating_beacon WHERE rotating_beacon.beacon = missing_list_touched.beacon
            )
            """,
            []
        )
        // Deleted rotating beacons have already written their changes.
        var isChanged = try db.exists(Self.coming, [])
        if try RotatingWindows(db).advance(isListed) { isChanged = true }
        try db.run("DELETE FROM missing_list_touched", [])
        guard isChanged else { return false }
        let mark = Int64.random(in: Int64.min...Int64.max)
        try db.run("UPDATE missing_list SET version = version + 1, mark = ?", [mark])
        try db.run("INSERT INTO missing_list_version (number, mark) SELECT version, mark FROM missing_list", [])
        let changes = "SELECT beacon FROM missing_list_change WHERE version = (SELECT version FROM missing_list)"
        try db.run("INSERT INTO missing_list_entry (beacon) \(changes) AND listed = 1", [])
        try db.run("DELETE FROM missing_list_entry WHERE beacon IN (\(changes) AND listed = 0)", [])
        return true
    }

    /// The changes that make the next version.
    private static let coming = """
        SELECT 1 FROM missing_list_change WHERE version > (SELECT version FROM missing_list)
        UNION ALL SELECT 1 FROM partner_list_change WHERE version > (SELECT version FROM missing_list)
        """

    /// The whole list: also the identities of rotating beacons, and the lists of partners.
    package func list() throws -> MissingListSnapshot {
        // The blobs sort by UUID, major, minor. Read row by row, since a list may have a million entries.
        var identities: [BeaconIdentity] = []
        try db.eachRow("SELECT beacon FROM missing_list_entry ORDER BY beacon", []) { row in
            identities.append(try row.identity("beacon"))
        }
        return MissingListSnapshot(
            version: try version(), identities: identities, concealed: try RotatingWindows(db).identities(),
            partners: try PartnerLists(db).all())
    }

    /// The changes from one version to another, or to the latest; nil if the journal does not contain one of them.
    package func changes(
        since version: ListVersion, upTo last: ListVersion?
    ) throws -> MissingListChanges? {
        let end = try last ?? self.version()
        guard version.number <= end.number, try knows(version), try knows(end) else { return nil }
        // Whether the first and the last change of a beacon add it.
        var first: [BeaconIdentity: Bool] = [:]
        var last: [BeaconIdentity: Bool] = [:]
        let sql =
            "SELECT beacon, listed FROM missing_list_change WHERE version > ? AND version <= ? ORDER BY version"
        for row in try db.rows(sql, [Int64(version.number), Int64(end.number)]) {
            let identity = try row.identity("beacon")
            if first[identity] == nil { first[identity] = try row["listed"] }
            last[identity] = try row["listed"]
        }
        // If a beacon's first change adds it, it was not on the list before; if the change removes it, it was.
        let changed = last.filter { first[$0.key] == $0.value }
        let rotated = try RotatingWindows(db).changes(from: Int64(version.number), to: Int64(end.number))
        guard let rotated else { return nil }
        return MissingListChanges(
            from: version, to: end, added: rotated.added + changed.filter(\.value).keys,
            removed: rotated.removed + changed.filter { !$0.value }.keys,
            partners: try PartnerLists(db).changes(from: Int64(version.number), to: Int64(end.number))
        )
    }

    /// Deletes changes of the list from before a moment. A version’s moment is that of the first call after it was
    /// made.
    package func forget(before moment: Timestamp, now: Timestamp) throws {
        try db.run("UPDATE missing_list_version SET seen = ? WHERE seen IS NULL", [now.milliseconds])
        // Keep the last earlier version, because the journal begins there.
        let sql = "SELECT max(number) FROM missing_list_version WHERE seen < ?"
        guard let start = try db.integer(sql, [moment.milliseconds]) else { return }
        try db.run("DELETE FROM missing_list_version WHERE number < ?", [start])
        try db.run("DELETE FROM missing_list_change WHERE version <= ?", [start])
        try PartnerLists(db).forget(upTo: start)
        try RotatingWindows(db).forget(upTo: start)
    }

    /// Whether the journal covers the changes since a version.
    private func knows(_ version: ListVersion) throws -> Bool {
        guard let number = Int64(exactly: version.number) else { return false }
        let sql = "SELECT 1 FROM missing_list_version WHERE number = ? AND mark = ?"
        return try db.exists(sql, [number, Int64(bitPattern: version.mark)])
    }

    /// The number of the list’s version, and the random mark that distinguishes histories after a restore.
    package func version() throws -> ListVersion {
        guard let row = try db.row("SELECT version, mark FROM missing_list", []) else {
            throw CorruptRow(column: "version")
        }
        return ListVersion(
            number: UInt64(clamping: try row["version"] as Int64), mark: UInt64(bitPattern: try row["mark"] as Int64)
        )
    }
}

/// Whether the beacon of `missing_list_touched` belongs on the list: the only definition of which reports, and which
/// tests of beacons, put a beacon on it. The canary is always on it.
private let isListed = """
    (EXISTS (SELECT 1 FROM canary WHERE canary.beacon = missing_list_touched.beacon) OR EXISTS (
        SELECT 1 FROM bike LEFT JOIN report ON report.bike = bike.key AND report.closed IS NULL
        LEFT JOIN beacon_claim ON beacon_claim.bike = bike.key LEFT JOIN identity ON identity.beacon = bike.beacon
        WHERE bike.beacon = missing_list_touched.beacon
            AND (report.listed = 1 OR beacon_claim.test_ends IS NOT NULL OR identity.tested_until IS NOT NULL)
    ))
    """
