package import Foundation
package import RegistryAPI
package import RegistryRules

/// Stations, their places and their state.
package struct Stations {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// All stations of this registry, in the order of their enrolment.
    package func page(_ page: PageRequest<StationID>) throws -> StoredPage<Station, StationID> {
        let after = page.after ?? StationID(high: 0, low: 0)
        let sql = stationQuery + "WHERE partner IS NULL AND id > ? ORDER BY id LIMIT ?"
        return try db.rows(sql, [after.blob, page.limit + 1])
            .map(Station.init)
            .page(limit: page.limit, cursor: \.id)
    }

    /// Changes a station. If it moves or its venue changes, its sightings are judged again in steps.
    ///
    /// - Parameter version: the state that the change is meant for; nil for any.
    /// - Throws: `notFound`, `changedMeanwhile`; `invalidFields` for a move before the last one.
    package func change(
        _ id: StationID, _ patch: StationPatch, version: Int64?, by operator: Principal, at time: Timestamp
    ) throws -> VersionedStation {
        guard let before = try find(id) else { throw DomainError.notFound("station") }
        guard version == nil || version == before.version else { throw DomainError.changedMeanwhile("station") }
        let key = try key(of: id)
        try db.run(
            "UPDATE station SET name = ?, venue = ?, version = version + 1 WHERE key = ?",
            [patch.name ?? before.station.name, patch.venue ?? before.station.venue, key]
        )
        let since = patch.since ?? time
        if let place = patch.place { try move(key, to: place, since: since, from: before.station) }
        try AuditTrail(db).append(
            AuditEvent(
                .stationChanged, by: `operator`, at: time, station: id, details: patch.auditDetails(since: since)
            )
        )
        // A new venue affects which sightings the station can corroborate, whatever their time.
        if patch.venue != nil || patch.place != nil {
            try StationJudgements(db).begin(key, since: patch.venue == nil ? since.milliseconds : .min, at: time)
        }
        guard let after = try find(id) else { throw DomainError.notFound("station") }
        return after
    }

    /// Records a heartbeat. Whether the station is deaf is also stored in a column, for lists of all stations.
    ///
    /// - Parameter encoded: the heartbeat as JSON, without its coverage, which is stored apart.
    /// - Throws: `notFound`.
    package func recordHeartbeat(
        _ heartbeat: StationHeartbeat, encoded: Data, of station: StationID, at time: Timestamp
    ) throws -> CoverageReceipt {
        let key = try key(of: station)
        if heartbeat.partners == false { try PartnerOutbox(db).drop(station: key) }
        try db.run(
            """
            INSERT INTO station_heartbeat (station, received, heartbeat, deaf) VALUES (?, ?, ?, ?)
            ON CONFLICT (station) DO UPDATE
                SET received = excluded.received, heartbeat = excluded.heartbeat, deaf = excluded.deaf
            """,
            [key, time.milliseconds, encoded, heartbeat.isDeaf]
        )
        return try Coverage(db).record(heartbeat.coverage ?? [], of: key, at: time)
    }

    /// The station with the number of its changes; nil if it is unknown.
    package func find(_ id: StationID) throws -> VersionedStation? {
        try db.row(stationQuery + "WHERE id = ?", [id.blob]).map {
            VersionedStation(station: try Station($0), version: try $0["version"])
        }
    }

    /// The key of a station’s row.
    ///
    /// - Throws: `notFound`.
    func key(of station: StationID) throws -> Int64 {
        guard let key = try db.integer("SELECT key FROM station WHERE id = ?", [station.blob]) else {
            throw DomainError.notFound("station")
        }
        return key
    }

    /// Adds a place that applies from a time on.
    ///
    /// - Throws: `invalidFields` unless that is after the last move.
    private func move(_ key: Int64, to place: Place, since: Timestamp, from before: Station) throws {
        guard since > before.placedSince else {
            throw DomainError.invalidField(
                "/since", "must be later than the last move or the enrolment, \(before.placedSince)")
        }
        try insert(place, of: key, since: since.milliseconds)
    }

    /// Adds a place that the audit’s next entry records (``Place/auditDetails``).
    ///
    /// - Parameters:
    ///   - station: the station’s key.
    ///   - since: when the place begins to apply, in milliseconds; 0 for the first place, which applies to all earlier
    ///     times.
    func insert(_ place: Place, of station: Int64, since: Int64) throws {
        try db.run(
            "INSERT INTO station_place (station, since, latitude, longitude, accuracy, entry) VALUES (?, ?, ?, ?, ?, ?)",
            [station, since, place.latitude, place.longitude, place.accuracy, try AuditTrail(db).nextIndex()]
        )
    }

    /// Adds a station, and returns the key of its row.
    func insert(_ station: Station, isApp: Bool = false) throws -> Int64 {
        try db.insert(
            "INSERT INTO station (id, name, venue, mobile, app, enrolled) VALUES (?, ?, ?, ?, ?, ?)",
            [station.id.blob, station.name, station.venue, station.mobile, isApp, station.enrolled.milliseconds]
        )
    }
}

/// A station with its current place and its last contact.
private let stationQuery = """
    SELECT station.*, stands.latitude, stands.longitude, stands.accuracy, stands.since, station_heartbeat.received,
        station_heartbeat.heartbeat, station_judgement.began, station_judgement.judged
    FROM station
    JOIN station_place AS stands ON stands.station = station.key
        AND stands.since = (SELECT max(since) FROM station_place WHERE station = station.key)
    LEFT JOIN station_heartbeat ON station_heartbeat.station = station.key
    LEFT JOIN station_judgement ON station_judgement.station = station.key

    """

extension Place {
    /// The place as the audit records it.
    var auditDetails: [String: String] {
        var details = ["latitude": "\(latitude)", "longitude": "\(longitude)"]
        details["accuracy"] = accuracy.map { "\($0)" }
        return details
    }
}

extension StationPatch {
    /// What the patch changes, as the audit records it.
    fileprivate func auditDetails(since: Timestamp) -> [String: String] {
        var details: [String: String] = [:]
        details["name"] = name
        details["venue"] = venue
        if let place {
            details.merge(place.auditDetails) { $1 }
            details["since"] = "\(since)"
        }
        return details
    }
}

extension Station {
    /// Reads a row of `stationQuery`.
    fileprivate init(_ row: StoredRow) throws {
        guard let place = try row.place() else { throw CorruptRow(column: "latitude") }
        let enrolled = try row.timestamp("enrolled")
        var heartbeat: ReceivedHeartbeat?
        if let encoded: Data = try row["heartbeat"] {
            heartbeat = ReceivedHeartbeat(
                received: try row.timestamp("received"),
                heartbeat: try JSONDecoder().decode(StationHeartbeat.self, from: encoded)
            )
        }
        self.init(
            id: try row.id("id"), name: try row["name"], venue: try row["venue"], mobile: try row["mobile"],
            place: place,
            placedSince: max(enrolled, try row.timestamp("since")), enrolled: enrolled,
            revoked: try row.optionalTimestamp("revoked"),
            quarantinedSince: try row.optionalTimestamp("quarantined_since"),
            judgement: try row.optionalTimestamp("began").map { .init(began: $0, sightings: try row["judged"]) },
            heartbeat: heartbeat
        )
    }
}
