import Beacons
import Foundation
import GRDB
public import MissingList
public import Registry
public import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    public func missingListVersion() async throws -> ListVersion {
        try await listVersion.version { try await read { db in try db.missingListVersion() } }
    }

    public func missingList() async throws -> MissingListSnapshot {
        try await readApart { db in
            // The order of the blobs is that of UUID, major, minor. Row by row: a list may have a million.
            var identities: [BeaconIdentity] = []
            try db.eachRow("SELECT beacon FROM missing_list_entry ORDER BY beacon", []) { row in
                identities.append(try row.identity("beacon"))
            }
            return MissingListSnapshot(version: try db.missingListVersion(), identities: identities)
        }
    }

    public func missingListChanges(
        since version: ListVersion, upTo last: ListVersion?
    ) async throws -> MissingListChanges? {
        try await read { db in
            let end = try last ?? db.missingListVersion()
            guard try db.knows(version), try db.knows(end) else { return nil }
            var first: [BeaconIdentity: Bool] = [:]
            var last: [BeaconIdentity: Bool] = [:]
            let sql =
                "SELECT beacon, listed FROM missing_list_change WHERE version > ? AND version <= ? ORDER BY version"
            for row in try db.rows(sql, [Int64(version.number), Int64(end.number)]) {
                let identity = try row.identity("beacon")
                if first[identity] == nil { first[identity] = try row["listed"] }
                last[identity] = try row["listed"]
            }
            // Who first came was not there before; who first went was.
            let changed = last.filter { first[$0.key] == $0.value }
            return MissingListChanges(
                from: version, to: end, added: Set(changed.filter(\.value).keys),
                removed: Set(changed.filter { !$0.value }.keys)
            )
        }
    }

    public func forgetMissingListChanges(before moment: Timestamp, now: Timestamp) async throws {
        try await write { db in
            try db.run("UPDATE missing_list_version SET seen = ? WHERE seen IS NULL", [now.milliseconds])
            // The last version from before stays: it is where the journal begins.
            let sql = "SELECT max(number) FROM missing_list_version WHERE seen < ?"
            guard let start = try db.integer(sql, [moment.milliseconds]) else { return }
            try db.run("DELETE FROM missing_list_version WHERE number < ?", [start])
            try db.run("DELETE FROM missing_list_change WHERE version <= ?", [start])
        }
    }
}

/// Whether the beacon of `missing_list_touched` belongs on the list: the one place that says which reports count, and that
/// the test of a beacon does.
private let isListed = """
    EXISTS (
        SELECT 1 FROM bike LEFT JOIN report ON report.bike = bike.key AND report.closed IS NULL
        LEFT JOIN beacon_claim ON beacon_claim.bike = bike.key
        WHERE bike.beacon = missing_list_touched.beacon AND (report.listed OR beacon_claim.test_ends IS NOT NULL)
    )
    """

extension Database {
    /// Gives the list a new version if what was done to reports and bikes changes it; every change ends with this.
    /// Returns whether it did.
    @discardableResult
    func advanceMissingList() throws -> Bool {
        guard try exists("SELECT 1 FROM missing_list_touched", []) else { return false }
        try run(
            """
            INSERT INTO missing_list_change (version, beacon, listed)
            SELECT (SELECT version + 1 FROM missing_list), beacon, \(isListed) FROM missing_list_touched
            WHERE \(isListed) <> EXISTS (
                SELECT 1 FROM missing_list_entry WHERE missing_list_entry.beacon = missing_list_touched.beacon
            )
            """,
            []
        )
        let isChanged = changesCount > 0
        try run("DELETE FROM missing_list_touched", [])
        guard isChanged else { return false }
        try run("UPDATE missing_list SET version = version + 1, mark = random()", [])
        try run("INSERT INTO missing_list_version (number, mark) SELECT version, mark FROM missing_list", [])
        let changes = "SELECT beacon FROM missing_list_change WHERE version = (SELECT version FROM missing_list)"
        try run("INSERT INTO missing_list_entry \(changes) AND listed", [])
        try run("DELETE FROM missing_list_entry WHERE beacon IN (\(changes) AND NOT listed)", [])
        return true
    }

    /// Whether the journal can start from a version.
    fileprivate func knows(_ version: ListVersion) throws -> Bool {
        guard let number = Int64(exactly: version.number) else { return false }
        let sql = "SELECT 1 FROM missing_list_version WHERE number = ? AND mark = ?"
        return try exists(sql, [number, Int64(bitPattern: version.mark)])
    }

    fileprivate func missingListVersion() throws -> ListVersion {
        guard let row = try row("SELECT version, mark FROM missing_list", []) else {
            throw CorruptRow(column: "version")
        }
        return ListVersion(
            number: UInt64(clamping: try row["version"] as Int64), mark: UInt64(bitPattern: try row["mark"] as Int64)
        )
    }
}
