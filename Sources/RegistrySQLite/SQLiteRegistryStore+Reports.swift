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
            try db.advanceMissingList()
            try db.remember(once, resource: report.id.blob)
            return report
        }
    }

    public func closeReport(
        _ id: ReportID, on bike: BikeID, by owner: OwnerID, closure: ReportClosure, at time: Timestamp, once: OnceKey?
    ) async throws -> MissingReport {
        try await write { db in
            let bikeKey = try db.key(ofBike: bike, owner: owner)
            var report = try db.report(id.blob, bike: bikeKey, of: bike)
            if try db.resource(of: once) == id.blob { return report }
            guard report.closed == nil else { throw DomainError.reportAlreadyClosed(id) }
            try db.run(
                "UPDATE report SET closed = ?, outcome = ?, closure_note = ? WHERE id = ?",
                [time.milliseconds, closure.outcome.rawValue, closure.note, id.blob]
            )
            try db.advanceMissingList()
            try db.remember(once, resource: id.blob)
            report.closed = time
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
        let sql = "SELECT key FROM bike WHERE id = ? AND owner = (SELECT key FROM owner WHERE id = ?)"
        guard let key = try integer(sql, [id.blob, owner.blob]) else { throw DomainError.notFound("bike") }
        return key
    }

    fileprivate func report(_ id: Data, bike key: Int64, of bike: BikeID) throws -> MissingReport {
        guard let row = try row("SELECT * FROM report WHERE id = ? AND bike = ?", [id, key]) else {
            throw DomainError.notFound("report")
        }
        return try MissingReport(row, bike: bike)
    }

    fileprivate func insert(_ report: MissingReport, bike: Int64) throws {
        try run(
            """
            INSERT INTO report (id, bike, opened, missing_since, latitude, longitude, accuracy, police_reference, note)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                report.id.blob, bike, report.opened.milliseconds, report.missingSince.milliseconds,
                report.lastPlace?.latitude, report.lastPlace?.longitude, report.lastPlace?.accuracy,
                report.policeReference, report.note,
            ]
        )
    }
}

extension MissingReport {
    fileprivate init(_ row: Row, bike: BikeID) throws {
        let closed = row.optionalTimestamp("closed")
        let closure =
            closed == nil ? nil : ReportClosure(outcome: try row.choice("outcome"), note: row["closure_note"])
        self.init(
            id: try row.id("id"), bike: bike, opened: row.timestamp("opened"),
            missingSince: row.timestamp("missing_since"), lastPlace: row.place(),
            policeReference: row["police_reference"], note: row["note"], closed: closed, closure: closure
        )
    }
}
