package import RegistryAPI
import RegistryRules

/// The outcomes of searches. Each is stored with its report when that closes, because sightings are deleted a month
/// later.
package struct SearchEnds {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    static let closed = """
        SELECT bike, searched_for, heard_after FROM report WHERE searched_for IS NOT NULL AND closed < ?
        ORDER BY closed DESC LIMIT \(ClosedSearches.most)
        """

    /// Stores how long a closed report’s bike was searched for, and when it was first heard; nothing if it was never on
    /// the missing list. Dismissed and disputed sightings do not count.
    func note(_ report: ReportID, at time: Timestamp) throws {
        let sql = "SELECT key, opened, sightings_until FROM report WHERE id = ? AND listed_since IS NOT NULL"
        guard let row = try db.row(sql, [report.blob]) else { return }
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
    }

    package func counts(until time: Timestamp) throws -> ClosedSearches {
        var bikes: Set<Int64> = []
        var searches: [ClosedSearches.Search] = []
        for row in try db.rows(Self.closed, [time.milliseconds]) where bikes.insert(try row["bike"]).inserted {
            searches.append(
                (
                    heardAfter: (try row["heard_after"] as Int64?).map { .milliseconds($0) },
                    lasted: .milliseconds(try row["searched_for"] as Int64)
                ))
        }
        return ClosedSearches(until: time, of: searches)
    }
}
