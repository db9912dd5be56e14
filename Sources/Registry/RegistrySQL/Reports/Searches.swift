import Beacons
import Foundation
import RegistryAPI
import RegistryRules

/// The limits of searches: the beacon's remaining days, and whether an operator allows the search at all.
package struct Searches {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Adds the days that an open search has used so far to its beacon's total. ``renew(of:at:)`` resumes
    /// counting.
    ///
    /// Call this before any change to the basis of the search, and before its end.
    func count(of report: ReportID, at time: Timestamp) throws {
        let sql = """
            SELECT counted_since, sightings_until, police_reference, bike.beacon
            FROM report JOIN bike ON bike.key = report.bike
            WHERE report.id = ? AND closed IS NULL AND counted_since IS NOT NULL AND bike.beacon IS NOT NULL
            """
        guard let row = try db.row(sql, [report.blob]) else { return }
        let end = min(time, try row.optionalTimestamp("sightings_until") ?? time)
        let since: Int64 = try row["counted_since"]
        let used = max(0, end.milliseconds - since)
        let basis = SearchBasis(policeReference: try row["police_reference"], isConfirmed: false)
        let column = basis == .word ? "searched_on_word" : "searched_on_reference"
        try db.run("UPDATE identity SET \(column) = \(column) + ? WHERE beacon = ?", [used, try row["beacon"] as Data])
        try db.run("UPDATE report SET counted_since = NULL WHERE id = ?", [report.blob])
    }

    /// Puts the bike of an open report on the missing list for the remaining days, or takes it off.
    ///
    /// - Returns: the reason why the bike is not searched for; nil if it is, or if the report is closed.
    @discardableResult
    func renew(of report: ReportID, at time: Timestamp) throws -> SearchObstacle? {
        try count(of: report, at: time)
        let sql = """
            SELECT police_reference, confirmed, new_beacon, suspended, stopped, searched_on_word, searched_on_reference
            FROM report JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner
            JOIN identity ON identity.beacon = bike.beacon
            WHERE report.id = ? AND closed IS NULL
            """
        guard let row = try db.row(sql, [report.blob]) else { return nil }
        let (obstacle, left) = try row.search()
        let isListed = obstacle == nil
        let end = isListed ? left.map { time.advanced(by: $0) } : time
        let countedSince = isListed && left != nil ? time : nil
        try db.run(
            """
            UPDATE report SET listed = ?1, counted_since = ?2, search_end_told = NULL,
                sightings_until = CASE
                    WHEN CAST(?1 AS BIGINT) = 0 AND sightings_until < ?3 THEN sightings_until ELSE ?3
                END,
                listed_since = CASE
                    WHEN CAST(?1 AS BIGINT) = 0 THEN listed_since
                    WHEN listed = 1 AND coalesce(sightings_until > ?5, TRUE) THEN coalesce(listed_since, ?5)
                    ELSE ?5
                END
            WHERE id = ?4
            """,
            [
                isListed, countedSince?.milliseconds, end?.milliseconds, report.blob, time.milliseconds,
            ]
        )
        return obstacle
    }

    /// Adds the days of a bike’s open search to its beacon’s total, before the bike’s row is deleted.
    ///
    /// - Parameter bike: the bike’s key.
    func count(ofBike bike: Int64, at time: Timestamp) throws {
        guard let row = try db.row("SELECT id FROM report WHERE bike = ? AND closed IS NULL", [bike]) else { return }
        try count(of: try row.id("id"), at: time)
    }
}

/// The reason why a bike with an open report is not searched for.
enum SearchObstacle: Hashable {
    case suspendedOwner
    case stoppedBeacon
    /// No days are left for this basis.
    case noDays(SearchBasis)

    /// The notice to the owner.
    var notice: OwnerNotice.Event {
        switch self {
        case .suspendedOwner: .ownerSuspended
        case .stoppedBeacon: .searchStopped
        case .noDays(.word), .noDays(.confirmation): .reportSuspended
        case .noDays(.reference): .reportUnconfirmed
        }
    }
}

extension StoredRow {
    /// The obstacle to the search, and the time that is left for it, which is nil if the search has no end.
    fileprivate func search() throws -> (obstacle: SearchObstacle?, left: Duration?) {
        if hasNonNull("suspended") { return (.suspendedOwner, nil) }
        if hasNonNull("stopped") { return (.stoppedBeacon, nil) }
        let basis = SearchBasis(policeReference: try self["police_reference"], isConfirmed: hasNonNull("confirmed"))
        let days = SearchDays(
            onWord: .milliseconds(try self["searched_on_word"] as Int64),
            onReference: .milliseconds(try self["searched_on_reference"] as Int64)
        )
        let left = days.left(on: basis, isNew: try self["new_beacon"])
        return (left == .zero ? .noDays(basis) : nil, left)
    }
}
