package import RegistryAPI
package import RegistryRules

/// Sightings as their owners read them.
package struct Sightings {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The number of sightings that a statement deletes. SQLite keeps a copy of each page that a statement changes in memory
    /// until its end.
    private static let mostDeletedTogether = 256

    /// Deletes all sightings of a report.
    ///
    /// - Parameter report: the report's key.
    /// - Returns: their number.
    func deleteAll(of report: Int64) throws -> Int {
        let sql = "DELETE FROM sighting WHERE key IN (SELECT key FROM sighting WHERE report = ? LIMIT ?)"
        var count = 0
        repeat {
            try db.run(sql, [report, Int64(Self.mostDeletedTogether)])
            count += db.changesCount
        } while db.changesCount == Self.mostDeletedTogether
        return count
    }

    /// The sightings of a report in the order in which they were first stored.
    ///
    /// - Throws: `notFound`.
    package func page(
        of report: ReportPath, _ page: PageRequest<Int64>
    ) throws -> StoredPage<Sighting, Int64> {
        let reportKey = try Reports(db).access(to: report, needing: .see).report
        let sighting = try current(of: report.id, reportKey)
        let rows = try db.rows(Sighting.page[db.dialect], [reportKey, page.after ?? 0, page.limit + 1])
            .map { (key: try $0["key"] as Int64, sighting: try sighting($0)) }
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
        let sighting = try current(of: report.id, reportKey)
        return try db.rows(sql, [reportKey, revision <= last ? revision : 0, limit]).map {
            SightingChange(revision: try $0["revision"], sighting: try sighting($0))
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
        let new = rows.filter { !$0.hasNonNull("dismissed") }
        for row in new {
            try tellOfDismissal(in: reportKey, access, by: act)
            try dismiss(row, of: reportKey, at: time)
            try AuditTrail(db).append(
                access.event(
                    .sightingDismissed, by: act, report: report, station: try row.id("station_id"),
                    details: ["sighting": id.description]))
        }
        try SightingJudgement(db: db, report: reportKey, time: time).distrust(new)
        db.news.trails.insert(report)
        guard let row = try db.row(find, [reportKey, id.blob]) else { throw DomainError.notFound("sighting") }
        return try current(of: report, reportKey)(row)
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

    /// Marks a sighting, and cancels its alerts.
    private func dismiss(_ row: StoredRow, of report: Int64, at time: Timestamp) throws {
        try db.run(
            "UPDATE sighting SET dismissed = ?, revision = \(SightingJudgement.nextRevision) WHERE key = ?",
            [time.milliseconds, report, try row["key"] as Int64]
        )
        try silenceAlerts(ofSighting: try row["key"], reason: "the owner dismissed the sighting")
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

    /// Reads the sightings of a report with their current judgement: the stored one, or a fresh one while a station with
    /// sightings of the same report, or the report itself, is being judged again.
    ///
    /// - Returns: a function of a row of ``Sighting/columns``.
    func current(of report: ReportID, _ key: Int64) throws -> (StoredRow) throws -> Sighting {
        try areJudgedAgain(ofReport: key) ? { try judged($0, of: report) } : { try Sighting($0, report: report) }
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
        ) OR EXISTS (SELECT 1 FROM report_judgement WHERE report_judgement.report = \(report))
            OR EXISTS (SELECT 1 FROM slot_judgement WHERE slot_judgement.report = \(report))
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
