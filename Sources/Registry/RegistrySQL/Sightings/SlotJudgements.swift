import RegistryAPI
import RegistryRules

/// Reports of rotating beacons whose sightings are being judged again by their slots, step by step, since there may be
/// many. Until that is complete, each read computes the judgement (``Sightings/current(of:_:)``).
struct SlotJudgements {
    let db: any Transaction

    init(_ db: any Transaction) { self.db = db }

    /// Since when the report has waited that is to be judged next, in milliseconds; nil if none is.
    func next() throws -> Int64? { try db.integer("SELECT min(began) FROM slot_judgement", []) }

    /// Begins to judge a report's sightings again. If a pass is in progress, it is completed first and then repeated:
    /// otherwise a stream of changes could keep it at the beginning.
    ///
    /// - Parameter report: the report's key.
    func begin(_ report: Int64, at time: Timestamp) throws {
        try db.run(
            """
            INSERT INTO slot_judgement (report, began, slot, sighting, again) VALUES (?, ?, -1, 0, 0)
            ON CONFLICT (report) DO UPDATE SET again = 1
            """,
            [report, time.milliseconds])
        db.news.judgements = true
    }

    /// Begins to judge the sightings of a missing bike again, after a check of its beacon.
    ///
    /// - Parameter bike: the bike's key.
    func begin(ofBike bike: Int64, at time: Timestamp) throws {
        let sql = "SELECT key FROM report WHERE bike = ? AND closed IS NULL"
        if let report = try db.integer(sql, [bike]) { try begin(report, at: time) }
    }

    /// Judges the next sightings of the report that has waited longest.
    ///
    /// - Parameter limit: the maximum number of sightings.
    /// - Returns: whether anything was left to judge.
    func step(limit: Int, at time: Timestamp) throws -> Bool {
        guard let work = try db.row("SELECT * FROM slot_judgement ORDER BY began, report LIMIT 1", []) else {
            return false
        }
        let report: Int64 = try work["report"]
        guard var slots = try SlotJudgement(db, report: report) else {
            try end(report)
            return true
        }
        let rows = try slots.rows(after: work["slot"], work["sighting"], limit: limit)
        var changes: [Int64: SightingJudgement.Change] = [:]
        // The witnesses are stored already, unless an older program has written the sightings.
        let affected = try slots.affected(by: rows)
        try slots.judge(rows + (affected ?? []), &changes)
        let outcome = try SightingJudgement(db: db, report: report, time: time).store(changes)
        let mustRepeat = try affected == nil || work["again"]
        if let last = rows.last, rows.count >= limit {
            try db.run(
                "UPDATE slot_judgement SET slot = ?, sighting = ?, again = ? WHERE report = ?",
                [last.sighting.slot, last.key, mustRepeat, report])
        } else if mustRepeat {
            // Queue it behind the others: a report that keeps changing must not keep them waiting.
            try db.run(
                "UPDATE slot_judgement SET began = ?, slot = -1, sighting = 0, again = 0 WHERE report = ?",
                [time.milliseconds, report])
        } else {
            try end(report)
        }
        if outcome.hasChanged { db.news.trails.formUnion(try Reports(db).ids(ofKeys: [report])) }
        return true
    }

    private func end(_ report: Int64) throws {
        try db.run("DELETE FROM slot_judgement WHERE report = ?", [report])
    }
}
