public import Evidence
import GRDB
import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func evidence(
        of report: ReportID, on bike: BikeID, owner: OwnerID, limit: Int
    ) async throws -> EvidenceContent {
        try await readAtLength { db in
            let bikeKey = try db.key(ofBike: bike, owner: owner)
            guard let row = try db.row(bikeQuery + "WHERE bike.key = ?", [bikeKey]) else {
                throw DomainError.notFound("bike")
            }
            let reading = EvidenceReading(db: db, report: report, owner: owner, limit: limit)
            let sightings = try reading.sightings()
            let audit = try reading.auditEntries()
            let end = try db.auditEnd()
            return EvidenceContent(
                bike: try Bike(row), report: try db.report(report.blob, bike: bikeKey, of: bike),
                sightings: sightings, allSightings: try reading.countSightings(),
                stations: try reading.stations(of: sightings), audit: audit,
                allAuditEntries: try reading.countAuditEntries(),
                proof: try db.proof(of: audit.map(\.index), end: end.length), auditLength: end.length,
                auditEnd: end.hash
            )
        }
    }
}

/// Reads what belongs to one report.
private struct EvidenceReading {
    let db: Database
    let report: ReportID
    let owner: OwnerID
    let limit: Int

    private static let ofReport = "WHERE sighting.report = (SELECT key FROM report WHERE id = ?)"

    /// The newest, in the order in which they were stored.
    func sightings() throws -> [Sighting] {
        try db.rows(Sighting.query + Self.ofReport + " ORDER BY sighting.key DESC LIMIT ?", [report.blob, limit])
            .reversed().map { try db.sighting($0, of: report) }
    }

    func countSightings() throws -> Int {
        Int(try db.integer("SELECT count(*) FROM sighting " + Self.ofReport, [report.blob]) ?? 0)
    }

    /// The newest, in the order of the chain.
    func auditEntries() throws -> [AuditEntry] {
        let sql = "SELECT * FROM audit WHERE owner = ? AND report = ? ORDER BY key DESC LIMIT ?"
        return try db.rows(sql, [owner, report, limit]).reversed().map(AuditEntry.init)
    }

    func countAuditEntries() throws -> Int {
        let sql = "SELECT count(*) FROM audit WHERE owner = ? AND report = ?"
        return Int(try db.integer(sql, [owner, report]) ?? 0)
    }

    /// The stations that heard the bike, in the order of their enrolment.
    func stations(of sightings: [Sighting]) throws -> [StationPlaces] {
        try Set(sightings.map(\.station.id)).sorted().map { id in
            guard let row = try db.row("SELECT * FROM station WHERE id = ?", [id.blob]) else {
                throw CorruptRow(column: "station")
            }
            let enrolled = row.timestamp("enrolled")
            let places = try db.rows(
                "SELECT * FROM station_place WHERE station = ? ORDER BY since", [row["key"] as Int64]
            )
            return StationPlaces(
                id: id, name: row["name"], venue: row["venue"], mobile: row["mobile"], enrolled: enrolled,
                revoked: row.optionalTimestamp("revoked"),
                places: try places.map { try StationPlaces.SurveyedPlace($0, enrolled: enrolled) }
            )
        }
    }
}

extension StationPlaces.SurveyedPlace {
    /// The first place holds from the beginning of time: it was surveyed when the station enrolled.
    fileprivate init(_ row: Row, enrolled: Timestamp) throws {
        guard let place = row.place() else { throw CorruptRow(column: "latitude") }
        self.init(since: max(enrolled, row.timestamp("since")), place: place)
    }
}

extension Database {
    fileprivate func proof(of entries: [Int64], end: Int64) throws -> ChainProof {
        let links = try ChainProof.indices(to: entries, from: end).map { index in
            guard let row = try row("SELECT commitment FROM audit WHERE key = ?", [index]) else {
                throw ChainWalk.Fault.missing(index: index)
            }
            return ChainLink(
                index: index, commitment: try row.hash("commitment"), previous: try chainHash(index - 1),
                shortcut: try chainHash(AuditChain.shortcut(from: index))
            )
        }
        return ChainProof(links: links)
    }
}
