import Registry
package import RegistryAPI

/// Everything that the registry stores about an owner.
package struct OwnerExports {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    package func export(of owner: OwnerID, at time: Timestamp) throws -> OwnerExport {
        let key = try Owners(db).key(of: owner)
        guard let account = try Owners(db).find(owner) else { throw DomainError.notFound("owner") }
        return OwnerExport(
            exported: time, owner: account,
            tokens: try db.rows("SELECT * FROM token WHERE owner = ? AND expires IS NULL ORDER BY id", [key])
                .map(OwnerToken.init),
            sessions: try db.rows(
                "SELECT * FROM token WHERE owner = ? AND expires > ? ORDER BY id", [key, time.milliseconds]
            ).map { try Session($0, at: time) },
            passkeys: try OwnerPasskeys(db).all(of: owner).map(\.details),
            channels: try db.rows(
                "SELECT * FROM channel WHERE owner = ? AND removed IS NULL ORDER BY id", [key]
            ).map(Channel.init),
            bikes: try exportedBikes(of: key, at: time), memberships: try Members(db).memberships(of: key),
            formerReports: try db.rows("SELECT * FROM bike WHERE owner = ? AND beacon IS NULL ORDER BY id", [key])
                .flatMap { try exportedReports(on: try $0["key"], id: try $0.id("id")) },
            activity: try db.rows("SELECT * FROM audit WHERE owner = ? ORDER BY key", [owner.blob])
                .compactMap { try AuditEntry($0).event }
        )
    }

    private func exportedBikes(of owner: Int64, at time: Timestamp) throws -> [OwnerExport.ExportedBike] {
        try db.rows(Bikes.query + "WHERE owner = ? AND bike.beacon IS NOT NULL ORDER BY bike.id", [owner]).map { row in
            let bike = try Bike(row)
            let key: Int64 = try row["key"]
            return OwnerExport.ExportedBike(
                bike: bike,
                history: try db.rows(BikeBeacons.events + "WHERE bike = ? ORDER BY key", [key]).map(BikeEvent.init),
                reports: try exportedReports(on: key, id: bike.id), photos: try PhotoRows(db).photos(of: key),
                members: try Members(db).all(of: key, seenBy: owner),
                invitations: try MemberInvitations(db).all(of: key, at: time),
                sticker: try Stickers(db).find(of: key), conversations: try Conversations(db).all(of: key)
            )
        }
    }

    private func exportedReports(on bike: Int64, id: BikeID) throws -> [OwnerExport.ExportedReport] {
        try db.rows(Reports.query + "WHERE bike = ? ORDER BY id", [bike]).map { row in
            let report = try MissingReport(row, bike: id)
            let sql = Sighting.query + "WHERE sighting.report = ? ORDER BY sighting.key"
            let key: Int64 = try row["key"]
            let sightings = try db.rows(sql, [key]).map { try Sightings(db).sighting($0, of: report.id) }
            return OwnerExport.ExportedReport(
                report: report, sightings: sightings, shares: try Shares(db).all(of: key))
        }
    }
}
