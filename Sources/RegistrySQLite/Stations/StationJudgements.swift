import Foundation
import GRDB
public import Registry
public import RegistryAPI
import RegistrySQL

// What a station told is judged again step by step, since there may be a lot of it. Until then each reader judges for
// itself (`Database.sighting(_:of:)`).
extension SQLiteRegistryStore {
    public func judgeAnew(limit: Int, at time: Timestamp) async throws -> JudgementStep? {
        try await write { db in
            let sql = """
                SELECT station_judgement.*, station.id AS station_id, station.quarantined_since
                FROM station_judgement JOIN station ON station.key = station_judgement.station
                ORDER BY began, station LIMIT 1
                """
            guard let work = try db.row(sql, []) else { return nil }
            return try db.judge(work, limit: limit, at: time)
        }
    }

    /// Reads sightings: at length while some of them may have to be judged for it.
    func readJudged<Result: Sendable>(_ query: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        let result = try await read { db -> Result? in
            try db.exists("SELECT 1 FROM station_judgement", []) ? nil : try query(db)
        }
        if let result { return result }
        return try await readAtLength(query)
    }
}

extension Database {
    /// Begins to judge again what a station told, again from the start where that is under way.
    func beginJudging(_ station: Int64, since: Int64, at time: Timestamp) throws {
        try run(
            """
            INSERT INTO station_judgement (station, since, began, visit, judged) VALUES (?, ?, ?, x'', 0)
            ON CONFLICT (station) DO UPDATE SET since = min(since, excluded.since), visit = x'', judged = 0
            """,
            [station, since, time.milliseconds]
        )
    }

    /// Looks at the next sightings of a station, in the order of their visits' identifiers.
    fileprivate func judge(_ work: StoredRow, limit: Int, at time: Timestamp) throws -> JudgementStep {
        let station: Int64 = try work["station"]
        let rows = try rows(
            """
            SELECT key, visit, report, first_seen, last_seen FROM sighting
            WHERE station = ?1 AND visit IN (
                SELECT DISTINCT visit FROM sighting WHERE station = ?1 AND visit > ?2 ORDER BY visit LIMIT ?3
            )
            ORDER BY visit
            """,
            [station, try work["visit"] as Data, limit]
        )
        let since: Int64 = try work["since"]
        let due = try rows.filter { try $0["last_seen"] >= since }
        // Every one of them counts as changed: its place or its trust is another.
        for row in due {
            try run(
                "UPDATE sighting SET revision = \(SightingJudgement.nextRevision) WHERE key = ?",
                [try row["report"] as Int64, try row["key"] as Int64]
            )
            if let quarantine: Int64 = try work["quarantined_since"], try row["last_seen"] >= quarantine {
                try silenceQuarantined(row["key"])
            }
        }
        let news = try judgeAnew(due, at: time).news
        let judged: Int64 = try work["judged"] + Int64(due.count)
        if let last = rows.last, rows.count >= limit {
            try run(
                "UPDATE station_judgement SET visit = ?, judged = ? WHERE station = ?",
                [try last["visit"] as Data, judged, station]
            )
        } else {
            try run("DELETE FROM station_judgement WHERE station = ?", [station])
            let details = ["sightings": "\(judged)"]
            try audit(
                AuditEvent(.stationJudged, by: nil, at: time, station: try work.id("station_id"), details: details))
        }
        return JudgementStep(reports: try reportIDs(Set(try due.map { try $0["report"] })), alerts: news)
    }

    /// Gives up what waits to be told of a sighting, but that it is not to be trusted.
    private func silenceQuarantined(_ sighting: Int64) throws {
        try run(
            """
            UPDATE alert SET due = NULL, last_error = 'the operator does not trust the station'
            WHERE sighting = ? AND due IS NOT NULL AND news <> ?
            """,
            [sighting, SightingLevel.disputed.rawValue]
        )
    }

    /// A sighting as it is judged now: by what is stored, or afresh while a station that told of the same report is
    /// judged again.
    ///
    /// - Parameter row: of ``Sighting/columns``.
    func sighting(_ row: StoredRow, of report: ReportID) throws -> Sighting {
        let key: Int64 = try row["report"]
        let sql = """
            SELECT 1 FROM station_judgement
            WHERE EXISTS (SELECT 1 FROM sighting WHERE report = ? AND sighting.station = station_judgement.station)
            """
        guard try exists(sql, [key]) else { return try Sighting(row, report: report) }
        let judgement = SightingJudgement(db: self, report: key, time: try row.timestamp("received"))
        return try Sighting(row, report: report, bits: try judgement.bits(of: row))
    }
}
