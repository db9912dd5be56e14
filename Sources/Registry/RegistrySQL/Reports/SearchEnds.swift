import Foundation
package import RegistryAPI
import RegistryRules

/// The outcomes of searches. Each waits with its report, because sightings are deleted a month after that closes. When
/// the outcomes of enough owners wait, they become a step of counts and are forgotten.
package struct SearchEnds {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The maximum number of outcomes in a step; the others wait for the next day.
    private static let mostInStep = 1000

    /// The outcomes from before a time that wait, the earliest first.
    static let waiting = """
        SELECT report.key, owner, searched_for, heard_after FROM report JOIN bike ON bike.key = report.bike
        WHERE searched_for IS NOT NULL AND closed < ? ORDER BY closed LIMIT \(mostInStep)
        """

    /// Stores how long a closed report’s bike was searched for, and when it was first heard; nothing if it was never on
    /// the missing list. Dismissed and disputed sightings do not count.
    ///
    /// Only the first search for a beacon counts, and two of an owner in ``ClosedSearches/ownersPeriod``: otherwise
    /// somebody could shape the counts with one beacon, or with one account.
    func note(_ report: ReportID, at time: Timestamp) throws {
        let sql = """
            SELECT report.key, report.opened, report.sightings_until, bike.beacon, bike.owner
            FROM report JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner
            JOIN identity ON identity.beacon = bike.beacon
            WHERE report.id = ? AND report.listed_since IS NOT NULL AND identity.search_counted = 0
                AND (owner.earlier_counted_search IS NULL OR owner.earlier_counted_search <= ?)
            """
        let lately = time.advanced(by: .zero - ClosedSearches.ownersPeriod)
        guard let row = try db.row(sql, [report.blob, lately.milliseconds]) else { return }
        let (key, opened): (Int64, Int64) = (try row["key"], try row["opened"])
        let end = min(time, try row.optionalTimestamp("sightings_until") ?? time)
        let first = try db.integer(
            """
            SELECT min(first_seen) FROM sighting
            WHERE report = ? AND dismissed IS NULL AND (reasons & \(OverviewCounts.contradicting)) = 0
            """, [key])
        try db.run(
            "UPDATE report SET searched_for = ?, heard_after = ? WHERE key = ?",
            [max(0, end.milliseconds - opened), first.map { max(0, $0 - opened) }, key])
        try db.run("UPDATE identity SET search_counted = 1 WHERE beacon = ?", [try row["beacon"] as Data])
        try db.run(
            "UPDATE owner SET earlier_counted_search = counted_search, counted_search = ? WHERE key = ?",
            [time.milliseconds, try row["owner"] as Int64])
    }

    /// The counts on a day. If the outcomes of enough owners from before the day wait, they are counted first.
    ///
    /// All processes give the same counts, because those before the day no longer change.
    ///
    /// - Parameter day: the beginning of the day.
    package func counts(on day: Timestamp) throws -> ClosedSearches {
        if try !db.exists("SELECT 1 FROM closed_search WHERE until >= ?", [day.milliseconds]) { try addStep(on: day) }
        let rows = try db.rows(
            "SELECT until, heard, lasted, searches FROM closed_search WHERE until <= ? ORDER BY until DESC",
            [day.milliseconds])
        let counts = try rows.map { row in
            ClosedSearches.Count(
                heardWithin: row.hasNonNull("heard") ? try row.choice("heard") : nil, lasted: try row.choice("lasted"),
                searches: Int(clamping: try row["searches"] as Int64))
        }
        return ClosedSearches(until: try rows.first?.timestamp("until") ?? day, adding: counts)
    }

    /// Counts the waiting outcomes from before a day, if they are of enough owners, and forgets them.
    private func addStep(on day: Timestamp) throws {
        let rows = try db.rows(Self.waiting, [day.milliseconds])
        guard Set(try rows.map { try $0["owner"] as Int64 }).count >= ClosedSearches.leastOwners else { return }
        let searches: [ClosedSearches.Search] = try rows.map { row in
            (
                heardAfter: (try row["heard_after"] as Int64?).map { .milliseconds($0) },
                lasted: .milliseconds(try row["searched_for"] as Int64)
            )
        }
        for count in ClosedSearches(until: day, of: searches).counts {
            try db.run(
                "INSERT INTO closed_search (until, heard, lasted, searches) VALUES (?, ?, ?, ?)",
                [day.milliseconds, count.heardWithin?.rawValue, count.lasted.rawValue, count.searches])
        }
        for row in rows {
            try db.run(
                "UPDATE report SET searched_for = NULL, heard_after = NULL WHERE key = ?", [try row["key"] as Int64])
        }
        try deleteOldSteps()
    }

    /// Deletes the steps beyond the latest ``ClosedSearches/most`` searches.
    private func deleteOldSteps() throws {
        var searches: Int64 = 0
        for row in try db.rows("SELECT until, searches FROM closed_search ORDER BY until DESC", []) {
            searches += try row["searches"] as Int64
            guard searches > ClosedSearches.most else { continue }
            try db.run("DELETE FROM closed_search WHERE until <= ?", [try row["until"] as Int64])
            return
        }
    }
}
