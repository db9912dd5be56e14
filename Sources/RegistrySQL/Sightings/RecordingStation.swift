import Foundation
import Registry
package import RegistryAPI

/// The station whose visits are recorded, read once for all of its visits.
package struct RecordingStation {
    let key: Int64
    let id: StationID
    private let venue: String
    private let isMobile: Bool
    /// Whether it represents all users of the original app.
    let isApp: Bool
    /// The station's places, the latest first; the oldest holds from the beginning of time.
    private let places: [(since: Int64, place: Place)]

    package init(_ db: any Transaction, _ id: StationID) throws {
        let sql = """
            SELECT station.key, venue, mobile, app, since, latitude, longitude, accuracy
            FROM station JOIN station_place ON station_place.station = station.key
            WHERE station.id = ? AND revoked IS NULL ORDER BY since DESC
            """
        var station: (key: Int64, venue: String, isMobile: Bool, isApp: Bool)?
        var places: [(since: Int64, place: Place)] = []
        try db.eachColumns(sql, [id]) { columns in
            station = (columns.integer(), columns.text(), columns.bool(), columns.bool())
            let since = columns.integer()
            guard let place = try columns.place() else { throw CorruptRow(column: "latitude") }
            places.append((since, place))
        }
        guard let station else { throw DomainError.notFound("station") }
        (key, venue, isMobile, isApp) = station
        self.id = id
        self.places = places
    }

    /// A visit as evidence, independent of other stations.
    func evidence(_ visit: VisitID, _ observation: VisitObservation, reportsEverything: Bool) throws -> SightingEvidence
    {
        let time = max(observation.lastSeen.milliseconds, 0)
        guard let stood = places.first(where: { $0.since <= time })?.place else { throw CorruptRow(column: "since") }
        var marks: SightingEvidence.Marks = []
        if isApp { marks.insert(.unverified) }
        if reportsEverything { marks.insert(.reportsEverything) }
        return SightingEvidence(
            visit: visit, station: id, venue: venue, place: isMobile ? observation.place ?? stood : stood,
            claimedPlace: isMobile ? nil : observation.place, firstSeen: observation.firstSeen,
            lastSeen: observation.lastSeen, timeUncertain: observation.timeUncertain,
            answer: observation.confirmation?.answer, marks: marks
        )
    }
}
