import Foundation
import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func openReport(
        _ report: MissingReport, by owner: OwnerID, once: OnceKey?
    ) async throws -> MissingReport {
        try await write { db in
            let bike = try db.key(ofBike: report.bike, owner: owner)
            if let earlier = try db.resource(of: once) { return try db.report(earlier, bike: bike, of: report.bike) }
            if let open = try db.row("SELECT id FROM report WHERE bike = ? AND closed IS NULL", [bike]) {
                throw DomainError.reportAlreadyOpen(try open.id("id"))
            }
            try db.insert(report, bike: bike)
            try db.audit(
                AuditEvent(
                    .reportOpened, by: .owner(owner), at: report.opened, owner: owner, bike: report.bike,
                    report: report.id
                )
            )
            try db.remember(once, resource: report.id.blob)
            return report
        }
    }

    public func changeReport(
        _ id: ReportID, on bike: BikeID, _ patch: MissingReportPatch, by act: OwnerAct
    ) async throws -> MissingReport {
        try await write { db in
            let bikeKey = try db.key(ofBike: bike, owner: act.owner)
            let report = try db.report(id.blob, bike: bikeKey, of: bike)
            let changed = patch.applied(to: report)
            guard changed != report else { return report }
            try db.update(changed, at: act.time)
            try db.audit(
                AuditEvent(.reportChanged, by: act.principal, at: act.time, owner: act.owner, bike: bike, report: id)
            )
            return changed
        }
    }

    public func closeReport(
        _ id: ReportID, on bike: BikeID, _ closure: ReportClosure, by act: OwnerAct, once: OnceKey?
    ) async throws -> MissingReport {
        try await write { db in
            let bikeKey = try db.key(ofBike: bike, owner: act.owner)
            var report = try db.report(id.blob, bike: bikeKey, of: bike)
            if try db.resource(of: once) == id.blob { return report }
            guard report.closed == nil else { throw DomainError.reportAlreadyClosed(id) }
            try db.close(id, as: closure, at: act.time)
            try db.audit(
                AuditEvent(
                    .reportClosed, by: act.principal, at: act.time, owner: act.owner, bike: bike, report: id,
                    details: ["outcome": closure.outcome.rawValue]
                )
            )
            let notice = OwnerNotice(.reportClosed, bike: try db.bike(bikeKey).summary)
            let owner = try db.key(of: act.owner)
            try db.queueAlerts(notice, toOwner: owner, at: act.time, using: act.entropy)
            try db.remember(once, resource: id.blob)
            report.closed = act.time
            report.closure = closure
            return report
        }
    }

    public func report(_ id: ReportID, on bike: BikeID, of owner: OwnerID) async throws -> MissingReport? {
        try await read { db in
            let bikeKey = try db.key(ofBike: bike, owner: owner)
            let row = try db.row("SELECT * FROM report WHERE id = ? AND bike = ?", [id.blob, bikeKey])
            return try row.map { try MissingReport($0, bike: bike) }
        }
    }

    public func reports(
        on bike: BikeID, of owner: OwnerID, _ page: PageRequest<ReportID>
    ) async throws -> StoredPage<MissingReport, ReportID> {
        try await read { db in
            let bikeKey = try db.key(ofBike: bike, owner: owner)
            let after = page.after ?? ReportID(high: 0, low: 0)
            let sql = "SELECT * FROM report WHERE bike = ? AND id > ? ORDER BY id LIMIT ?"
            return try db.rows(sql, [bikeKey, after.blob, page.limit + 1])
                .map { try MissingReport($0, bike: bike) }
                .page(limit: page.limit, cursor: \.id)
        }
    }
}

extension Database {
    /// The integer key of a bike, if this owner has it.
    func key(ofBike id: BikeID, owner: OwnerID) throws -> Int64 {
        let sql =
            "SELECT key FROM bike WHERE id = ? AND owner = (SELECT key FROM owner WHERE id = ?) AND beacon IS NOT NULL"
        guard let key = try integer(sql, [id.blob, owner.blob]) else { throw DomainError.notFound("bike") }
        return key
    }

    func report(_ id: Data, bike key: Int64, of bike: BikeID) throws -> MissingReport {
        guard let row = try row("SELECT * FROM report WHERE id = ? AND bike = ?", [id, key]) else {
            throw DomainError.notFound("report")
        }
        return try MissingReport(row, bike: bike)
    }

    func insert(_ report: MissingReport, bike: Int64) throws {
        try run(
            """
            INSERT INTO report (
                id, bike, opened, missing_since, latitude, longitude, accuracy, police_reference, police_force, note,
                sightings_until
            )
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                report.id.blob, bike, report.opened.milliseconds, report.missingSince.milliseconds,
                report.lastPlace?.latitude, report.lastPlace?.longitude, report.lastPlace?.accuracy,
                report.policeReference, report.policeForce, report.note, report.sightingsUntil?.milliseconds,
            ]
        )
    }

    /// Writes what can change of a report; the bike of an open one is listed while it yields sightings.
    fileprivate func update(_ report: MissingReport, at time: Timestamp) throws {
        let isListed = report.sightingsUntil.map { time < $0 } ?? true
        try run(
            """
            UPDATE report SET latitude = ?, longitude = ?, accuracy = ?, police_reference = ?, police_force = ?,
                note = ?, held_until = ?, sightings_until = ?, listed = ?
            WHERE id = ?
            """,
            [
                report.lastPlace?.latitude, report.lastPlace?.longitude, report.lastPlace?.accuracy,
                report.policeReference, report.policeForce, report.note, report.heldUntil?.milliseconds,
                report.sightingsUntil?.milliseconds, isListed, report.id.blob,
            ]
        )
    }

    /// Closes an open report.
    func close(_ id: ReportID, as closure: ReportClosure, at time: Timestamp) throws {
        try run(
            "UPDATE report SET closed = ?, outcome = ?, recovered_by = ?, closure_note = ? WHERE id = ?",
            [
                time.milliseconds, closure.outcome.rawValue, closure.recoveredBy?.rawValue, closure.note, id.blob,
            ]
        )
    }
}

extension MissingReport {
    init(_ row: Row, bike: BikeID) throws {
        let closed = row.optionalTimestamp("closed")
        let recoverer: Recoverer? = row.hasNonNull("recovered_by") ? try row.choice("recovered_by") : nil
        let closure =
            closed == nil
            ? nil
            : ReportClosure(outcome: try row.choice("outcome"), recoveredBy: recoverer, note: row["closure_note"])
        self.init(
            id: try row.id("id"), bike: bike, opened: row.timestamp("opened"),
            missingSince: row.timestamp("missing_since"), lastPlace: row.place(),
            policeReference: row["police_reference"], policeForce: row["police_force"], note: row["note"],
            heldUntil: row.optionalTimestamp("held_until"), closed: closed, closure: closure
        )
    }
}
