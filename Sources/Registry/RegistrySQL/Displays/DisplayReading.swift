import Foundation
package import RegistryAPI
package import RegistryRules

/// One paired display: what it shows, and the answers that staff give at it. Nothing else accepts its secret.
package struct DisplayReading {
    let db: any Transaction
    /// The display's identifier.
    let id: DisplayID
    /// The identifier of the display's station.
    let station: StationID
    private let row: StoredRow
    /// The station's key.
    private let key: Int64
    private let time: Timestamp

    /// A display, by its secret, with its station and the station’s last heartbeat.
    package static let query = """
        SELECT display.id, display.last_used, display.expires, station.key AS station_key, station.id AS station_id,
            station.name AS station_name, received, heartbeat
        FROM display JOIN station ON station.key = display.station
        LEFT JOIN station_heartbeat ON station_heartbeat.station = station.key
        WHERE digest = ? AND station.revoked IS NULL
        """

    /// Finds the display with a secret.
    ///
    /// - Throws: `displayUnpaired` if there is none, if it has expired, or if its station is revoked.
    package init(_ db: any Transaction, _ secret: SecretDigest, at time: Timestamp) throws {
        guard let row = try db.row(Self.query, [secret.blob]), try time < row.timestamp("expires") else {
            throw DomainError.displayUnpaired
        }
        self.db = db
        self.row = row
        self.time = time
        id = try row.id("id")
        station = try row.id("station_id")
        key = try row["station_key"]
    }

    /// What the display shows now.
    package func open() throws -> OpenedDisplay {
        let bikes = try bikes()
        let view = DisplayView(
            station: try row["station_name"], time: time, health: try health(),
            bikes: Array(bikes.prefix(DisplayRules.mostBikes)), more: max(0, bikes.count - DisplayRules.mostBikes))
        return OpenedDisplay(
            id: id, station: station, lastUsed: try row.optionalTimestamp("last_used"), view: view)
    }

    /// The state of the station’s receivers and list, from its last heartbeat and what it heard recently.
    private func health() throws -> StationHealth {
        guard let encoded: Data = try row["heartbeat"] else { return StationHealth(nil, listAge: nil, at: time) }
        let last = Station.ReceivedHeartbeat(
            received: try row.timestamp("received"),
            heartbeat: try JSONDecoder().decode(StationHeartbeat.self, from: encoded))
        let recent = time.advanced(by: .zero - DisplayRules.presence - CoverageQuarter.length)
        let (quarters, _) = try Coverage(db).quarters(of: key, from: CalendarDate(recent), to: CalendarDate(time))
        return StationHealth(last, listAge: quarters.last { $0.ends >= recent }?.listAge, at: time)
    }

    /// Whether staff may know what to look for: the search continues, and the owner agreed to show the bike.
    ///
    /// - Parameter time: the parameter with the time now.
    static func isShown(at time: String) -> String {
        """
        sighting.dismissed IS NULL AND report.closed IS NULL AND coalesce(report.sightings_until > \(time), TRUE)
            AND owner.tells_appearance = 1 AND owner.suspended IS NULL
        """
    }

    /// The sightings that a display may show. Parameters: the station’s key, the time after which the bike must have
    /// been heard, and the time now.
    private static let shown = """
        FROM sighting CROSS JOIN report JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner
        WHERE report.key = sighting.report AND sighting.station = ?1 AND sighting.last_seen > ?2
            AND \(isShown(at: "?3"))
        """

    /// The visits that continue, those heard last first.
    package static let here = """
        SELECT visit, first_seen, last_seen, proximity, answer, answered, receiver, kind, make, model, colours,
            \(StaffPhotos.consent) AS staff_consent
        \(shown) AND sighting.ended = 0 ORDER BY sighting.last_seen DESC LIMIT ?4
        """

    /// The sighting of a visit that staff can answer.
    package static let answerable = """
        SELECT sighting.*, report.id AS report_id, bike.id AS bike_id, owner.id AS owner_id
        \(shown) AND sighting.visit = ?4 ORDER BY sighting.report DESC LIMIT 1
        """

    /// The maximum number of rows to read; beyond it, the number of further bikes is not exact.
    private static let limit = DisplayRules.mostBikes * 20

    /// The bikes at the station.
    private func bikes() throws -> [DisplayedBike] {
        let since = time.advanced(by: .zero - DisplayRules.presence)
        let rows = try db.rows(
            Self.here, [key, since.milliseconds, time.milliseconds, Self.limit])
        // The latest arrival first, in an order that does not change while the bikes stay.
        return try rows.map { try DisplayedBike($0, at: station) }.sorted {
            ($1.since, $1.visit) < ($0.since, $0.visit)
        }
    }

    /// Merges the answer of staff into a visit of the station, as if the station had reported it.
    ///
    /// - Returns: nil if the last answer is the same, so that nothing was changed.
    /// - Throws: `notFound` for a visit that is not shown to staff, or was last heard too long ago.
    package func answer(
        _ visit: VisitID, _ answer: VisitConfirmation.Answer, using entropy: Entropy
    ) throws -> StoredVisit? {
        let since = time.advanced(by: .zero - DisplayRules.answerable)
        let parameters: Parameters = [key, since.milliseconds, time.milliseconds, visit]
        guard let sighting = try db.row(Self.answerable, parameters) else { throw DomainError.notFound("visit") }
        var reported = try Visit(sighting)
        let last = reported.confirmation
        guard last?.answer != answer else { return nil }
        // The latest answer applies, even after one in the same millisecond.
        let answered = last.map { max(time, $0.time.advanced(by: .milliseconds(1))) } ?? time
        reported.confirmation = VisitConfirmation(answer: answer, time: answered)
        let request = RecordRequest([reported], by: station, at: time, using: entropy)
        guard case .stored(let stored)? = try VisitRecording(db).record([request])[0].get().first else {
            throw DomainError.notFound("visit")
        }
        try AuditTrail(db).append(
            AuditEvent(
                .displayAnswered, by: nil, at: time, owner: try sighting.id("owner_id"),
                bike: try sighting.id("bike_id"), report: try sighting.id("report_id"), station: station,
                details: ["display": "\(id)", "visit": "\(visit)", "answer": answer.rawValue]))
        return stored
    }
}

extension DisplayedBike {
    fileprivate init(_ row: StoredRow, at station: StationID) throws {
        let (visit, answered): (VisitID, Timestamp?) = (try row.id("visit"), try row.optionalTimestamp("answered"))
        let photo = try row.staffConsent.map { StaffPhotoLink(of: visit, at: station, $0).path }
        self.init(
            visit: visit, since: try row.timestamp("first_seen"),
            lastHeard: try row.timestamp("last_seen"), proximity: try row.choice("proximity"),
            lookFor: BikeAppearance(
                kind: try row.choice("kind"), make: try row["make"], model: try row["model"],
                colours: try row.colours(),
                photo: photo),
            answer: try answered.map { VisitConfirmation(answer: try row.choice("answer"), time: $0) },
            receiver: try row["receiver"])
    }
}
