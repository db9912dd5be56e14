import RegistryAPI
import RegistryRules

/// Reports with sightings that have lost their trust or changed their places. All sightings around these are judged again,
/// step by step, since there may be many. Until that is complete, each read computes the judgement
/// (``Sightings/current(of:_:)``).
///
/// A new or changed sighting is judged in its own transaction (``SightingJudgement/update(around:of:isNew:)``), with each
/// station's nearest sightings. One that loses its trust may have confirmed or disputed others that have newer ones
/// between it and themselves.
struct ReportJudgements {
    let db: any Transaction

    init(_ db: any Transaction) { self.db = db }

    /// The most sightings that a step compares before it ends. A sighting is compared with at most
    /// ``NeighbourBounds/limit`` others, so that however many are invented, a step holds the database only for a moment.
    private static let comparedInStep = 4096
    /// How far from a changed sighting others are judged, in milliseconds: each of the three passages of a round, and each
    /// visit between them, can take a day.
    private static let reach: Int64 = 7 * 86_400_000

    /// What a station reports causes this work only for a report with at most so many sightings: a station can make them
    /// many, and then change one again and again.
    private static let few = 1000
    /// How long a report waits until it is judged once more, if it was changed while it was judged, in milliseconds.
    private static let rest: Int64 = 10_000

    /// Whether any report is being judged again.
    func areUnderWay() throws -> Bool { try db.exists("SELECT 1 FROM report_judgement", []) }

    /// Since when the report has waited that is to be judged next, in milliseconds; nil if none is.
    func next(at time: Timestamp) throws -> Int64? {
        try db.integer("SELECT min(began) FROM report_judgement WHERE \(Self.isDue)", Self.rest(after: time))
    }

    /// The condition that a report does not rest. It never rests for longer, even if the clock was set back.
    private static let isDue = "began NOT BETWEEN ? AND ?"

    private static func rest(after time: Timestamp) -> Parameters {
        [time.milliseconds + 1, time.milliseconds + rest]
    }

    /// Begins as ``begin(_:around:at:)`` does, unless the report has many sightings.
    func beginIfFew(_ report: Int64, around span: ClosedRange<Int64>, at time: Timestamp) throws {
        let sql = "SELECT count(*) FROM (SELECT 1 AS one FROM sighting WHERE report = ? LIMIT ?) AS stored"
        guard try db.integer(sql, [report, Self.few + 1]) ?? 0 <= Self.few else { return }
        try begin(report, around: span, at: time)
    }

    /// Begins to judge the sightings around some of a report again. If some have been judged, this is completed first and
    /// then repeated: otherwise a stream of changes could keep it at the beginning.
    ///
    /// - Parameters:
    ///   - report: the report's key.
    ///   - span: from the first to the last moment of the changed sightings, in milliseconds.
    func begin(_ report: Int64, around span: ClosedRange<Int64>, at time: Timestamp) throws {
        let first = span.lowerBound.subtractingReportingOverflow(Self.reach)
        let last = span.upperBound.addingReportingOverflow(Self.reach)
        try db.run(
            """
            INSERT INTO report_judgement (report, began, first_heard, last_heard, station, heard, sighting, again)
            VALUES (?, ?, ?, ?, 0, 0, 0, 0)
            ON CONFLICT (report) DO UPDATE SET
                again = CASE WHEN report_judgement.sighting = 0 THEN report_judgement.again ELSE 1 END,
                first_heard = CASE WHEN report_judgement.first_heard < excluded.first_heard
                    THEN report_judgement.first_heard ELSE excluded.first_heard END,
                last_heard = CASE WHEN report_judgement.last_heard > excluded.last_heard
                    THEN report_judgement.last_heard ELSE excluded.last_heard END
            """,
            [
                report, time.milliseconds, first.overflow ? .min : first.partialValue,
                last.overflow ? .max : last.partialValue,
            ])
        db.news.judgements = true
    }

    /// Judges the next sightings of the report that has waited longest.
    ///
    /// - Parameter limit: the maximum number of sightings.
    func step(limit: Int, at time: Timestamp) throws {
        let next = "SELECT * FROM report_judgement WHERE \(Self.isDue) ORDER BY began, report LIMIT 1"
        guard let work = try db.row(next, Self.rest(after: time)) else { return }
        let report: Int64 = try work["report"]
        let rows = try db.rows(
            """
            SELECT key, station, first_seen, last_seen FROM sighting
            WHERE report = ? AND (station, last_seen, key) > (?, ?, ?) AND last_seen BETWEEN ? AND ?
            ORDER BY station, last_seen, key LIMIT ?
            """,
            [
                report, try work["station"] as Int64, try work["heard"] as Int64, try work["sighting"] as Int64,
                try work["first_heard"] as Int64, try work["last_heard"] as Int64, limit,
            ])
        let judgement = SightingJudgement(db: db, report: report, time: time)
        let (count, hasChanged) = try judgement.judgeAlone(rows, comparing: Self.comparedInStep)
        if count < rows.count || rows.count >= limit, let last = rows.prefix(count).last {
            // Others come first now, so that no report keeps them waiting.
            try db.run(
                "UPDATE report_judgement SET began = ?, station = ?, heard = ?, sighting = ? WHERE report = ?",
                [
                    time.milliseconds, try last["station"] as Int64, try last["last_seen"] as Int64,
                    try last["key"] as Int64, report,
                ])
        } else if try work["again"] {
            try db.run(
                """
                UPDATE report_judgement SET began = ?, station = 0, heard = 0, sighting = 0, again = 0 WHERE report = ?
                """,
                [time.milliseconds + Self.rest, report])
        } else {
            try db.run("DELETE FROM report_judgement WHERE report = ?", [report])
        }
        if hasChanged { db.news.trails.formUnion(try Reports(db).ids(ofKeys: [report])) }
    }
}
