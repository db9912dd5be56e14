import Foundation
import Registry
import RegistryAPI

/// Counts the different missing bikes that a station reports in one hour, by the visits' own times.
struct ReportingHour {
    private let db: any Transaction
    private let station: Int64
    private let times: ClosedRange<Int64>
    private(set) var reportsEverything = false
    /// Whether the last counted visit was the first to exceed the limit.
    private(set) var isFirstTooMany = false

    init(_ db: any Transaction, station: Int64, of time: Timestamp) {
        self.db = db
        self.station = station
        times = Self.times(of: time)
    }

    static func times(of time: Timestamp) -> ClosedRange<Int64> {
        let start = time.milliseconds / ReportingShare.window * ReportingShare.window
        return start...start + ReportingShare.window - 1
    }

    /// Counts a bike that the station did not report earlier in this hour, and checks whether it reports too many.
    func count(unless wasHeard: Bool) throws -> ReportingHour {
        var result = self
        let hour = times.lowerBound / ReportingShare.window
        guard !wasHeard else {
            let sql = "SELECT reports_everything FROM station_hour WHERE station = ? AND hour = ?"
            result.reportsEverything = try db.integer(sql, [station, hour]) == 1
            return result
        }
        let row = try db.row(
            """
            INSERT INTO station_hour (station, hour, reports) VALUES (?, ?, 1)
            ON CONFLICT (station, hour) DO UPDATE SET reports = reports + 1
            RETURNING reports, reports_everything
            """,
            [station, hour]
        )
        guard let row else { throw CorruptRow(column: "reports") }
        if try row["reports"] == 1 { try forgetOldHours(before: hour) }
        result.reportsEverything = try row["reports_everything"]
        guard !result.reportsEverything, try isTooMany(row["reports"]) else { return result }
        try db.run(
            "UPDATE station_hour SET reports_everything = 1 WHERE station = ? AND hour = ?", [station, hour]
        )
        result.reportsEverything = true
        result.isFirstTooMany = true
        return result
    }

    /// Deletes old hours. Visits are at most 30 days old, so hours older than twice that are not needed.
    private func forgetOldHours(before hour: Int64) throws {
        try db.run("DELETE FROM station_hour WHERE station = ? AND hour < ?", [station, hour - 60 * 24])
    }

    private func isTooMany(_ reports: Int) throws -> Bool {
        guard reports > ReportingShare.fewest else { return false }
        let sql = """
            SELECT count(*) FROM (SELECT 1 FROM report WHERE closed IS NULL LIMIT \(ReportingShare.countedAtMost))
            """
        return ReportingShare.isTooLarge(reports: reports, ofMissing: Int(try db.integer(sql, []) ?? 0))
    }

    /// Judges the station's earlier reports of this hour again: once an hour, and at most ``ReportingShare/most``
    /// bikes. A visit's identifier begins with its time, by which the visits are found.
    func judgeAnew(at time: Timestamp) throws -> (reports: Set<Int64>, news: Int) {
        let margin: Int64 = 300_000
        let ids = [times.lowerBound - margin, times.upperBound + margin].map {
            VisitID(high: UInt64(clamping: $0) << 16, low: 0).blob
        }
        let sql = """
            SELECT key, report, first_seen, last_seen FROM sighting
            WHERE station = ? AND visit BETWEEN ? AND ? ORDER BY visit LIMIT 1000
            """
        return try Sightings(db).judgeAgain(try db.rows(sql, [station, ids[0], ids[1]]), at: time)
    }
}
