import GRDB
public import Registry
public import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    public func record(
        _ visits: [Visit], by station: StationID, at time: Timestamp, using entropy: Entropy
    ) async throws -> [RecordedVisit] {
        try await write { db in
            let station = try RecordingStation(db, station)
            return try VisitRecording(db: db, station: station, time: time, entropy: entropy).record(visits)
        }
    }

    public func sightings(
        of report: ReportID, on bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64> {
        try await readJudged { db in
            let reportKey = try db.key(ofReport: report, on: bike, owner: owner)
            let rows = try db.rows(Sighting.page, [reportKey, page.after ?? 0, page.limit + 1])
                .map { (key: try $0["key"] as Int64, sighting: try db.sighting($0, of: report)) }
                .page(limit: page.limit, cursor: \.key)
            return StoredPage(items: rows.items.map(\.sighting), next: rows.next)
        }
    }

    public func sightingChanges(
        of report: ReportID, on bike: BikeID, owner: OwnerID, after revision: Int64, limit: Int
    ) async throws -> [SightingChange] {
        try await readJudged { db in
            let reportKey = try db.key(ofReport: report, on: bike, owner: owner)
            let sql =
                Sighting.query
                + "WHERE sighting.report = ? AND sighting.revision > ? ORDER BY sighting.revision LIMIT ?"
            let last = try db.integer("SELECT max(revision) FROM sighting WHERE report = ?", [reportKey]) ?? 0
            return try db.rows(sql, [reportKey, revision <= last ? revision : 0, limit]).map {
                SightingChange(revision: try $0["revision"], sighting: try db.sighting($0, of: report))
            }
        }
    }

    public func dismissSighting(
        _ id: VisitID, of report: ReportID, on bike: BikeID, by act: OwnerAct
    ) async throws -> Sighting {
        try await write { db in
            let (owner, time) = (act.owner, act.time)
            let reportKey = try db.key(ofReport: report, on: bike, owner: owner)
            let find = Sighting.query + "WHERE sighting.report = ? AND sighting.visit = ?"
            // Two stations may use one identifier: then both sightings are meant, since the owner cannot tell them apart.
            let rows = try db.rows(find, [reportKey, id.blob])
            guard !rows.isEmpty else { throw DomainError.notFound("sighting") }
            for row in rows where !row.hasNonNull("dismissed") {
                try db.tellOfDismissal(in: reportKey, on: bike, by: act)
                try db.dismiss(row, of: reportKey, at: time)
                try db.audit(
                    AuditEvent(
                        .sightingDismissed, by: .owner(owner), at: time, owner: owner, bike: bike, report: report,
                        station: try row.id("station_id"), details: ["sighting": id.description]
                    )
                )
            }
            guard let row = try db.row(find, [reportKey, id.blob]) else { throw DomainError.notFound("sighting") }
            return try db.sighting(row, of: report)
        }
    }
}

extension Database {
    /// The integer key of a report, if it is of this bike and this owner.
    func key(ofReport id: ReportID, on bike: BikeID, owner: OwnerID) throws -> Int64 {
        let bikeKey = try key(ofBike: bike, owner: owner)
        guard let key = try integer("SELECT key FROM report WHERE id = ? AND bike = ?", [id.blob, bikeKey]) else {
            throw DomainError.notFound("report")
        }
        return key
    }

    /// Tells of the first dismissal in an hour: a thief may dismiss everything, and an owner may have many to dismiss.
    fileprivate func tellOfDismissal(in report: Int64, on bike: BikeID, by act: OwnerAct) throws {
        let sql = """
            SELECT 1 FROM report WHERE key = ?1 AND closed IS NULL
                AND NOT EXISTS (SELECT 1 FROM sighting WHERE report = ?1 AND dismissed > ?2)
            """
        let begin = act.time.advanced(by: .seconds(-3600))
        guard try exists(sql, [report, begin.milliseconds]) else { return }
        let summary = try self.bike(try key(ofBike: bike, owner: act.owner)).summary
        try tell(.dismissSighting, to: try key(of: act.owner), bike: summary, by: act)
    }

    fileprivate func dismiss(_ row: StoredRow, of report: Int64, at time: Timestamp) throws {
        try run(
            "UPDATE sighting SET dismissed = ?, revision = \(SightingJudgement.nextRevision) WHERE key = ?",
            [time.milliseconds, report, try row["key"] as Int64]
        )
        try silenceAlerts(ofSighting: try row["key"], reason: "the owner dismissed the sighting")
        try judgeAnew([row], at: time)
    }

    /// Gives up what waits to be told of a sighting.
    func silenceAlerts(ofSighting key: Int64, reason: String) throws {
        try run(
            "UPDATE alert SET due = NULL, last_error = ? WHERE sighting = ? AND due IS NOT NULL", [reason, key]
        )
    }
}
