import GRDB
import Registry
public import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    public func export(of owner: OwnerID, at time: Timestamp) async throws -> OwnerExport {
        try await readAtLength { db in
            let key = try db.key(of: owner)
            guard let account = try db.owner(owner) else { throw DomainError.notFound("owner") }
            return OwnerExport(
                exported: time, owner: account,
                tokens: try db.rows("SELECT * FROM token WHERE owner = ? ORDER BY id", [key]).map(OwnerToken.init),
                channels: try db.rows(
                    "SELECT * FROM channel WHERE owner = ? AND removed IS NULL ORDER BY id", [key]
                ).map(Channel.init),
                bikes: try db.exportedBikes(of: key),
                formerReports: try db.rows("SELECT * FROM bike WHERE owner = ? AND beacon IS NULL ORDER BY id", [key])
                    .flatMap { try db.exportedReports(on: try $0["key"], id: try $0.id("id")) },
                activity: try db.rows("SELECT * FROM audit WHERE owner = ? ORDER BY key", [owner.blob])
                    .compactMap { try AuditEntry($0).event }
            )
        }
    }
}

extension Database {
    fileprivate func exportedBikes(of owner: Int64) throws -> [OwnerExport.ExportedBike] {
        try rows(bikeQuery + "WHERE owner = ? AND beacon IS NOT NULL ORDER BY bike.id", [owner]).map { row in
            let bike = try Bike(row)
            let key: Int64 = try row["key"]
            return OwnerExport.ExportedBike(
                bike: bike,
                history: try rows("SELECT * FROM bike_event WHERE bike = ? ORDER BY key", [key]).map(BikeEvent.init),
                reports: try exportedReports(on: key, id: bike.id)
            )
        }
    }

    fileprivate func exportedReports(on bike: Int64, id: BikeID) throws -> [OwnerExport.ExportedReport] {
        try rows("SELECT * FROM report WHERE bike = ? ORDER BY id", [bike]).map { row in
            let report = try MissingReport(row, bike: id)
            let sql = Sighting.query + "WHERE sighting.report = ? ORDER BY sighting.key"
            let sightings = try rows(sql, [try row["key"] as Int64]).map { try sighting($0, of: report.id) }
            return OwnerExport.ExportedReport(report: report, sightings: sightings)
        }
    }
}
