public import Evidence
import GRDB
import Registry
public import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    public func recordGrowth(
        of report: ReportID, on bike: BikeID, owner: OwnerID, limit: Int, at time: Timestamp
    ) async throws {
        try await write { db in
            let key = try db.key(ofReport: report, on: bike, owner: owner)
            let condition = "WHERE sighting.report = ? AND grown IS NOT NULL ORDER BY sighting.key DESC LIMIT ?"
            _ = try db.recordGrowth(condition, [key, limit], at: time)
        }
    }

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
            let records = try reading.records()
            let stations = try reading.stations(of: sightings)
            let beginning = records.count == sightings.count && !stations.hasOld ? nil : try reading.beginning()
            let audit = try reading.auditEntries(
                with: records.map(\.entry) + stations.entries + (beginning.map { [$0] } ?? []))
            let end = try db.auditEnd()
            return EvidenceContent(
                bike: try Bike(row), report: try db.report(report.blob, bike: bikeKey, of: bike),
                sightings: sightings, records: records, allSightings: try reading.countSightings(),
                stations: stations.places, audit: audit,
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

    /// What the audit has recorded of the newest. What was changed since is not signed.
    func records() throws -> [CommittedRecord] {
        try db.rows(RecordedSighting.query + Self.ofReport + " ORDER BY sighting.key DESC LIMIT ?", [report, limit])
            .reversed().compactMap { row in
                let sighting = try RecordedSighting(row)
                guard let record = sighting.committed else { return nil }
                guard try db.isAsRecorded(sighting) else { throw ChainWalk.Fault.changedSighting(try row.id("visit")) }
                return record
            }
    }

    /// The entry that shows that what has no record is older than any.
    func beginning() throws -> Int64? {
        try db.integer("SELECT min(key) FROM audit WHERE action = ?", [AuditAction.recordsBegun.rawValue])
    }

    func countSightings() throws -> Int {
        Int(try db.integer("SELECT count(*) FROM sighting " + Self.ofReport, [report.blob]) ?? 0)
    }

    /// The newest, and those that commit to the sightings and to the stations' places, in the order of the chain.
    func auditEntries(with others: [Int64]) throws -> [AuditEntry] {
        let sql = "SELECT * FROM audit WHERE owner = ? AND report = ? ORDER BY key DESC LIMIT ?"
        let newest = try db.rows(sql, [owner, report, limit]).map(AuditEntry.init)
        let missing = Set(others).subtracting(newest.map(\.index))
        let more = try missing.compactMap { index in
            try db.row("SELECT * FROM audit WHERE key = ?", [index]).map(AuditEntry.init)
        }
        return (newest + more).sorted { $0.index < $1.index }
    }

    func countAuditEntries() throws -> Int {
        let sql = "SELECT count(*) FROM audit WHERE owner = ? AND report = ?"
        return Int(try db.integer(sql, [owner, report]) ?? 0)
    }

    /// The stations that heard the bike, in the order of their enrolment.
    ///
    /// - Returns: also the entries that tell their places, and whether there are places of before such entries.
    func stations(
        of sightings: [Sighting]
    ) throws -> (places: [StationPlaces], entries: [Int64], hasOld: Bool) {
        var entries: [Int64] = []
        var hasOld = false
        let places = try Set(sightings.map(\.station.id)).sorted().map { id in
            guard let row = try db.row("SELECT * FROM station WHERE id = ?", [id.blob]) else {
                throw CorruptRow(column: "station")
            }
            let enrolled = try row.timestamp("enrolled")
            let places = try db.rows(
                "SELECT * FROM station_place WHERE station = ? ORDER BY since", [try row["key"] as Int64]
            )
            for place in places {
                guard let entry: Int64 = try place["entry"] else {
                    hasOld = true
                    continue
                }
                try db.checkPlace(place, of: id)
                entries.append(entry)
            }
            return StationPlaces(
                id: id, name: try row["name"], venue: try row["venue"], mobile: try row["mobile"], enrolled: enrolled,
                revoked: try row.optionalTimestamp("revoked"),
                places: try places.map { try StationPlaces.SurveyedPlace($0, enrolled: enrolled) }
            )
        }
        return (places, entries, hasOld)
    }
}

extension StationPlaces.SurveyedPlace {
    /// The first place holds from the beginning of time: it was surveyed when the station enrolled.
    fileprivate init(_ row: StoredRow, enrolled: Timestamp) throws {
        guard let place = try row.place() else { throw CorruptRow(column: "latitude") }
        self.init(since: max(enrolled, try row.timestamp("since")), place: place)
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
