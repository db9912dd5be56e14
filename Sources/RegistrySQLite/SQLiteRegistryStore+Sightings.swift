import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func record(
        _ visits: [Visit], by station: StationID, at time: Timestamp, using entropy: Entropy
    ) async throws -> [RecordedVisit] {
        try await write { db in
            guard let key = try db.integer("SELECT key FROM station WHERE id = ?", [station.blob]) else {
                throw DomainError.notFound("station")
            }
            let recording = VisitRecording(db: db, station: key, time: time, entropy: entropy)
            return try visits.map(recording.record)
        }
    }

    public func sightings(
        of report: ReportID, on bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64> {
        try await read { db in
            let bikeKey = try db.key(ofBike: bike, owner: owner)
            let reportKey = try db.integer("SELECT key FROM report WHERE id = ? AND bike = ?", [report.blob, bikeKey])
            guard let reportKey else { throw DomainError.notFound("report") }
            let sql = sightingQuery + "WHERE sighting.report = ? AND sighting.key > ? ORDER BY sighting.key LIMIT ?"
            let rows = try db.rows(sql, [reportKey, page.after ?? 0, page.limit + 1])
                .map { (key: $0["key"] as Int64, sighting: try Sighting($0, report: report)) }
                .page(limit: page.limit, cursor: \.key)
            return StoredPage(items: rows.items.map(\.sighting), next: rows.next)
        }
    }
}

/// Sightings with what their owner reads about the station.
let sightingQuery = """
    SELECT sighting.*, station.id AS station_id, station.name AS station_name, station.latitude AS station_latitude,
        station.longitude AS station_longitude, station.accuracy AS station_accuracy
    FROM sighting JOIN station ON station.key = sighting.station

    """

extension Sighting {
    /// From a row that also holds the station's columns with the prefix `station_`.
    init(_ row: Row, report: ReportID) throws {
        let observation = try VisitObservation(row)
        guard let place = observation.place ?? row.place(prefix: "station_") else {
            throw CorruptRow(column: "station_latitude")
        }
        self.init(
            id: try row.id("visit"), report: report,
            station: StationSummary(id: try row.id("station_id"), name: row["station_name"]), place: place,
            firstSeen: observation.firstSeen, lastSeen: observation.lastSeen, received: row.timestamp("received"),
            count: observation.count, rssi: observation.rssi, proximity: observation.proximity,
            ended: observation.ended, timeUncertain: observation.timeUncertain
        )
    }
}
