import Foundation
package import RegistryAPI
import RegistryRules

/// Stations whose sightings are being judged again, step by step, since there may be many: the reports with these are
/// noted (``ReportJudgements``). Until that is complete, each read computes the judgement
/// (``Sightings/current(of:_:)``).
package struct StationJudgements {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Whether sightings are being judged again.
    package func areUnderWay() throws -> Bool {
        try next() != nil || ReportJudgements(db).areUnderWay() || SlotJudgements(db).next() != nil
    }

    private func next() throws -> Int64? { try db.integer("SELECT min(began) FROM station_judgement", []) }

    /// Takes the next step for the station, the report or the rotating beacon that has waited longest. So none of them can
    /// keep the others waiting.
    ///
    /// - Returns: whether anything was left to judge.
    package func step(limit: Int, at time: Timestamp) throws -> Bool {
        let (reports, slots) = (ReportJudgements(db), SlotJudgements(db))
        let (station, slot) = (try next() ?? .max, try slots.next() ?? .max)
        let report = try reports.next(at: time) ?? .max
        guard min(station, report, slot) < .max else { return false }
        if station <= min(report, slot) {
            try judge(limit: limit, at: time)
        } else if report <= slot {
            try reports.step(limit: limit, at: time)
        } else {
            return try slots.step(limit: limit, at: time)
        }
        return true
    }

    /// Begins to judge a station's sightings again; restarts, behind others, if that is in progress.
    ///
    /// - Parameters:
    ///   - station: the station's key.
    ///   - since: sightings last heard at this time or later are judged, in milliseconds.
    func begin(_ station: Int64, since: Int64, at time: Timestamp) throws {
        db.news.judgements = true
        try db.run(
            """
            INSERT INTO station_judgement (station, since, began, visit, judged) VALUES (?, ?, ?, ?, 0)
            ON CONFLICT (station) DO UPDATE SET began = excluded.began, visit = excluded.visit, judged = excluded.judged,
                since = CASE
                    WHEN station_judgement.since < excluded.since THEN station_judgement.since ELSE excluded.since
                END
            """,
            [station, since, time.milliseconds, Data()]
        )
    }

    /// Judges the next sightings of the station that has waited longest, in the order of their visits’ identifiers.
    private func judge(limit: Int, at time: Timestamp) throws {
        let sql = """
            SELECT station_judgement.*, station.id AS station_id, station.quarantined_since
            FROM station_judgement JOIN station ON station.key = station_judgement.station
            ORDER BY began, station LIMIT 1
            """
        guard let work = try db.row(sql, []) else { return }
        let station: Int64 = try work["station"]
        let rows = try db.rows(
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
        // Each of them counts as changed: its place or its trust is different.
        for row in due {
            try db.run(
                "UPDATE sighting SET revision = \(SightingJudgement.nextRevision) WHERE key = ?",
                [try row["report"] as Int64, try row["key"] as Int64]
            )
            if let quarantine: Int64 = try work["quarantined_since"], try row["last_seen"] >= quarantine {
                try silenceQuarantined(row["key"])
            }
        }
        for (report, rows) in try Dictionary(grouping: due, by: { try $0["report"] as Int64 }) {
            try ReportJudgements(db).begin(report, around: SightingJudgement.span(of: rows), at: time)
        }
        let judged: Int64 = try work["judged"] + Int64(due.count)
        if let last = rows.last, rows.count >= limit {
            try db.run(
                "UPDATE station_judgement SET visit = ?, judged = ? WHERE station = ?",
                [try last["visit"] as Data, judged, station]
            )
        } else {
            try db.run("DELETE FROM station_judgement WHERE station = ?", [station])
            let details = ["sightings": "\(judged)"]
            try AuditTrail(db).append(
                AuditEvent(.stationJudged, by: nil, at: time, station: try work.id("station_id"), details: details))
        }
        db.news.trails.formUnion(try Reports(db).ids(ofKeys: Set(try due.map { try $0["report"] })))
    }

    /// Cancels the waiting alerts of a sighting, except alerts that it is not to be trusted.
    private func silenceQuarantined(_ sighting: Int64) throws {
        try db.run(
            """
            UPDATE alert SET due = NULL, last_error = 'the operator does not trust the station'
            WHERE sighting = ? AND due IS NOT NULL AND news <> ?
            """,
            [sighting, SightingLevel.disputed.rawValue]
        )
    }
}
