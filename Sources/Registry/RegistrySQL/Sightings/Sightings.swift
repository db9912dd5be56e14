import Foundation
package import RegistryAPI
package import RegistryRules

/// Sightings as their owners read them.
package struct Sightings {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The sightings of a report in the order in which they were first stored.
    ///
    /// - Throws: `notFound`.
    package func page(
        of report: ReportPath, _ page: PageRequest<Int64>
    ) throws -> StoredPage<Sighting, Int64> {
        let reportKey = try Reports(db).access(to: report, needing: .see).report
        let rows = try db.rows(Sighting.page[db.dialect], [reportKey, page.after ?? 0, page.limit + 1])
            .map { (key: try $0["key"] as Int64, sighting: try sighting($0, of: report.id)) }
            .page(limit: page.limit, cursor: \.key)
        return StoredPage(items: rows.items.map(\.sighting), next: rows.next)
    }

    /// The sightings of a report in the order of their latest change, after a revision; all of them for a revision
    /// that the report has not reached.
    ///
    /// - Throws: `notFound`.
    package func changes(
        of report: ReportPath, after revision: Int64, limit: Int
    ) throws -> [SightingChange] {
        let reportKey = try Reports(db).access(to: report, needing: .see).report
        let sql =
            Sighting.query
            + "WHERE sighting.report = ? AND sighting.revision > ? ORDER BY sighting.revision LIMIT ?"
        let last = try db.integer("SELECT max(revision) FROM sighting WHERE report = ?", [reportKey]) ?? 0
        return try db.rows(sql, [reportKey, revision <= last ? revision : 0, limit]).map {
            SightingChange(revision: try $0["revision"], sighting: try sighting($0, of: report.id))
        }
    }

    /// The number of the last change of each report; 0 before the first. Unknown reports are left out.
    package func lastRevisions(of reports: Set<ReportID>) throws -> [ReportID: Int64] {
        var revisions: [ReportID: Int64] = [:]
        try db.eachColumns(Self.lastRevisions, Parameters(reports.map { $0 })) { columns in
            revisions[try columns.id()] = columns.integer()
        }
        return revisions
    }

    private static let lastRevisions = SetStatement(
        given: [("id", .blob)],
        """
        SELECT report.id, (SELECT coalesce(max(revision), 0) FROM sighting WHERE sighting.report = report.key)
        FROM given CROSS JOIN report WHERE report.id = given.id
        """)

    /// Marks a sighting as known to be wrong. Dismissing again changes nothing.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func dismiss(
        _ id: VisitID, of report: ReportID, on bike: BikeID, by act: OwnerAct
    ) throws -> Sighting {
        let time = act.time
        let path = ReportPath(report, on: bike, of: act.owner)
        let (access, reportKey) = try Reports(db).access(to: path, needing: .report)
        let find = Sighting.query + "WHERE sighting.report = ? AND sighting.visit = ?"
        // Two stations may use the same identifier. Then both sightings are dismissed, since the owner cannot
        // distinguish them.
        let rows = try db.rows(find, [reportKey, id.blob])
        guard !rows.isEmpty else { throw DomainError.notFound("sighting") }
        for row in rows where !row.hasNonNull("dismissed") {
            try tellOfDismissal(in: reportKey, access, by: act)
            try dismiss(row, of: reportKey, at: time)
            try AuditTrail(db).append(
                access.event(
                    .sightingDismissed, by: act, report: report, station: try row.id("station_id"),
                    details: ["sighting": id.description]))
        }
        db.news.trails.insert(report)
        guard let row = try db.row(find, [reportKey, id.blob]) else { throw DomainError.notFound("sighting") }
        return try sighting(row, of: report)
    }

    /// Sends a notice for the first dismissal in an hour: a thief may dismiss everything, and an owner may have many to
    /// dismiss. A dismissal by a member is always announced, since the one that was announced in this hour may be the
    /// owner's own.
    private func tellOfDismissal(in report: Int64, _ access: BikeAccess, by act: OwnerAct) throws {
        let sql = """
            SELECT 1 FROM report WHERE key = ?1 AND closed IS NULL
                AND (CAST(?3 AS BIGINT) = 1 OR NOT EXISTS (SELECT 1 FROM sighting WHERE report = ?1 AND dismissed > ?2))
            """
        let begin = act.time.advanced(by: .seconds(-3600))
        guard try db.exists(sql, [report, begin.milliseconds, access.member != nil]) else { return }
        try Notices(db).tell(.dismissSighting, access, bike: try Bikes(db).existing(access.key).summary, by: act)
    }

    /// Marks a sighting, cancels its alerts, and judges those around it again.
    private func dismiss(_ row: StoredRow, of report: Int64, at time: Timestamp) throws {
        try db.run(
            "UPDATE sighting SET dismissed = ?, revision = \(SightingJudgement.nextRevision) WHERE key = ?",
            [time.milliseconds, report, try row["key"] as Int64]
        )
        try silenceAlerts(ofSighting: try row["key"], reason: "the owner dismissed the sighting")
        try judgeAgain([row], at: time)
    }

    /// Cancels the waiting alerts of a sighting.
    ///
    /// - Parameters:
    ///   - key: the sighting’s key.
    ///   - reason: why, for the list of deliveries.
    func silenceAlerts(ofSighting key: Int64, reason: String) throws {
        try db.run(
            "UPDATE alert SET due = NULL, last_error = ? WHERE sighting = ? AND due IS NOT NULL", [reason, key]
        )
    }

    /// Judges sightings again that have lost trust, or got it, and those that are judged by them.
    ///
    /// Those that only they may have confirmed or refuted are judged alone, each once. These can be many for each
    /// sighting, so the work ends early if they are more than ``unsureLimit``.
    ///
    /// - Parameter sightings: rows with `key`, `visit`, `report`, `first_seen` and `last_seen`; those of a visit together.
    @discardableResult
    func judgeAgain(_ sightings: [StoredRow], at time: Timestamp) throws -> JudgedAgain {
        var result = JudgedAgain()
        var unsure: [Int64: (report: Int64, sighting: SightingJudgement.Judged)] = [:]
        var last: Data?
        for row in sightings {
            let visit: Data = try row["visit"]
            if unsure.count > Self.unsureLimit, visit != last { break }
            last = visit
            let first: Int64 = try row["first_seen"]
            let span = first...max(first, try row["last_seen"])
            let report: Int64 = try row["report"]
            let judgement = SightingJudgement(db: db, report: report, time: time)
            let outcome = try judgement.update(around: span, of: try row["key"])
            result.add(outcome, of: report)
            result.count += 1
            for sighting in outcome.unsure { unsure[sighting.key] = (report, sighting) }
        }
        for (_, (report, sighting)) in unsure.sorted(by: { $0.key < $1.key }) {
            let judgement = SightingJudgement(db: db, report: report, time: time)
            result.add(try judgement.judgeAlone(sighting), of: report)
        }
        return result
    }

    /// The most sightings that are judged alone before the work ends early.
    private static let unsureLimit = 256

    /// What became of sightings that were judged again.
    struct JudgedAgain {
        /// The keys of the reports with changes.
        private(set) var reports: Set<Int64> = []
        /// The number of alerts about changes.
        private(set) var news = 0
        /// The number of given sightings that were judged, from the first on: all, or all of some visits.
        fileprivate(set) var count = 0

        fileprivate mutating func add(_ outcome: SightingJudgement.Outcome, of report: Int64) {
            if outcome.hasChanged { reports.insert(report) }
            news += outcome.news
        }
    }

    /// A sighting with its current judgement: the stored one, or a fresh one while a station with sightings of the same
    /// report, or the report itself, is being judged again.
    ///
    /// - Parameter row: a row of ``Sighting/columns``.
    func sighting(_ row: StoredRow, of report: ReportID) throws -> Sighting {
        guard try areJudgedAgain(ofReport: row["report"]) else { return try Sighting(row, report: report) }
        return try judged(row, of: report)
    }

    /// Whether a station with sightings of a report, or the report itself, is being judged again.
    func areJudgedAgain(ofReport key: Int64) throws -> Bool {
        try db.exists("SELECT 1 FROM report WHERE key = ? AND (\(Self.judgedAgain("report.key")))", [key])
    }

    /// A condition about a sighting: see ``areJudgedAgain(ofReport:)``.
    static let isJudgedAgain = judgedAgain("sighting.report")

    /// The condition that a report is being judged again.
    ///
    /// - Parameter report: the column or the parameter with its key.
    private static func judgedAgain(_ report: String) -> String {
        """
        EXISTS (
            SELECT 1 FROM station_judgement
            WHERE EXISTS (
                SELECT 1 FROM sighting AS other
                WHERE other.report = \(report) AND other.station = station_judgement.station
            )
        ) OR EXISTS (SELECT 1 FROM slot_judgement WHERE slot_judgement.report = \(report))
        """
    }

    /// A sighting with a fresh judgement.
    ///
    /// - Parameter row: a row of ``Sighting/columns``.
    func judged(_ row: StoredRow, of report: ReportID) throws -> Sighting {
        let judgement = SightingJudgement(db: db, report: try row["report"], time: try row.timestamp("received"))
        return try Sighting(row, report: report, bits: try judgement.bits(of: row))
    }
}
