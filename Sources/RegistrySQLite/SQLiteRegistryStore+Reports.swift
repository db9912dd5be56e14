import Foundation
import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func openReport(
        _ report: MissingReport, by owner: OwnerID, once: IdempotencyKey?
    ) async throws -> MissingReport {
        try await write { [quotas] db in
            let bike = try db.key(ofBike: report.bike, owner: owner)
            if let earlier = try db.resource(of: once) { return try db.report(earlier, bike: bike, of: report.bike) }
            if let open = try db.row("SELECT id FROM report WHERE bike = ? AND closed IS NULL", [bike]) {
                throw DomainError.reportAlreadyOpen(try open.id("id"))
            }
            let ownerKey = try db.key(of: owner)
            try db.refuseSuspended(ownerKey)
            try db.refuseUnproved(bike)
            try db.requireRoom(for: .openReports, of: ownerKey, quotas)
            try db.noteUse(.reports, by: ownerKey, quotas, at: report.opened)
            let obstacle = try db.insert(report, bike: bike)
            if let obstacle {
                let notice = OwnerNotice(obstacle.notice, bike: try db.bike(bike).summary)
                try db.queueAlerts(notice, toOwner: ownerKey, at: report.opened, using: .system)
            }
            try db.audit(
                AuditEvent(
                    .reportOpened, by: .owner(owner), at: report.opened, owner: owner, bike: report.bike,
                    report: report.id
                )
            )
            try db.remember(once, resource: report.id.blob)
            return try db.report(report.id.blob, bike: bike, of: report.bike)
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
            let (owner, weakening) = (try db.key(of: act.owner), SearchWeakening.of(report, to: changed))
            try db.confirm(act, owner: owner, against: weakening)
            try db.change(report, to: changed, bike: bikeKey, at: act.time)
            try db.tell(weakening, to: owner, bike: try db.bike(bikeKey).summary, by: act)
            try db.audit(
                AuditEvent(.reportChanged, by: act.principal, at: act.time, owner: act.owner, bike: bike, report: id)
            )
            return try db.report(id.blob, bike: bikeKey, of: bike)
        }
    }

    public func closeReport(
        _ id: ReportID, on bike: BikeID, _ closure: ReportClosure, by act: OwnerAct, once: IdempotencyKey?
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
            try db.tell(
                .closeReport, to: try db.key(of: act.owner), bike: try db.bike(bikeKey).summary, by: act)
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

    /// Stores a new report and begins its search.
    ///
    /// - Returns: why nobody looks for the bike; nil where it is searched for.
    @discardableResult
    func insert(_ report: MissingReport, bike: Int64) throws -> SearchObstacle? {
        try run(
            """
            INSERT INTO report (
                id, bike, opened, missing_since, latitude, longitude, accuracy, police_reference, police_force, note
            )
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                report.id.blob, bike, report.opened.milliseconds, report.missingSince.milliseconds,
                report.lastPlace?.latitude, report.lastPlace?.longitude, report.lastPlace?.accuracy,
                report.policeReference, report.policeForce, report.note,
            ]
        )
        try run(
            "UPDATE owner SET reports = reports + 1, unconfirmed = unconfirmed + 1 WHERE key = (SELECT owner FROM bike WHERE key = ?)",
            [bike]
        )
        return try renewSearch(of: report.id, at: report.opened)
    }

    /// Writes what can change of a report; the search follows the police reference.
    fileprivate func change(
        _ before: MissingReport, to report: MissingReport, bike: Int64, at time: Timestamp
    ) throws {
        let isSearchChanged =
            before.policeReference != report.policeReference || before.confirmed != report.confirmed
        if isSearchChanged { try countSearch(of: report.id, at: time) }
        try run(
            """
            UPDATE report SET latitude = ?, longitude = ?, accuracy = ?, police_reference = ?, police_force = ?,
                note = ?, held_until = ?, confirmed = ?
            WHERE id = ?
            """,
            [
                report.lastPlace?.latitude, report.lastPlace?.longitude, report.lastPlace?.accuracy,
                report.policeReference, report.policeForce, report.note, report.heldUntil?.milliseconds,
                report.confirmed?.milliseconds, report.id.blob,
            ]
        )
        if before.confirmed != nil && report.confirmed == nil { try countUnconfirmed(1, ofBike: bike) }
        if isSearchChanged { try renewSearch(of: report.id, at: time) }
    }

    /// - Throws: `ownerSuspended`.
    func refuseSuspended(_ owner: Int64) throws {
        guard try !exists("SELECT 1 FROM owner WHERE key = ? AND suspended IS NOT NULL", [owner]) else {
            throw DomainError.ownerSuspended
        }
    }

    /// Closes an open report.
    func close(_ id: ReportID, as closure: ReportClosure, at time: Timestamp) throws {
        try countSearch(of: id, at: time)
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
        let closed = try row.optionalTimestamp("closed")
        let recoverer: Recoverer? = row.hasNonNull("recovered_by") ? try row.choice("recovered_by") : nil
        let closure =
            closed == nil
            ? nil
            : ReportClosure(outcome: try row.choice("outcome"), recoveredBy: recoverer, note: try row["closure_note"])
        self.init(
            id: try row.id("id"), bike: bike, opened: try row.timestamp("opened"),
            missingSince: try row.timestamp("missing_since"), lastPlace: try row.place(),
            policeReference: try row["police_reference"], policeForce: try row["police_force"], note: try row["note"],
            confirmed: try row.optionalTimestamp("confirmed"), heldUntil: try row.optionalTimestamp("held_until"),
            sightingsUntil: try row.optionalTimestamp("sightings_until"), closed: closed, closure: closure
        )
    }
}
