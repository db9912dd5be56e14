import Foundation
import GRDB
import Registry
import RegistryAPI

/// The station whose visits are recorded, read once for all of them.
struct RecordingStation {
    let key: Int64
    let id: StationID
    private let venue: String
    private let isMobile: Bool
    private let isApp: Bool
    /// The latest first; the oldest holds from the beginning of time.
    private let places: [(since: Int64, place: Place)]

    init(_ db: Database, _ id: StationID) throws {
        guard let row = try db.row("SELECT * FROM station WHERE id = ? AND revoked IS NULL", [id.blob]) else {
            throw DomainError.notFound("station")
        }
        key = row["key"]
        self.id = id
        venue = row["venue"]
        isMobile = row["mobile"]
        isApp = row["app"]
        places = try db.rows("SELECT * FROM station_place WHERE station = ? ORDER BY since DESC", [key]).map {
            guard let place = $0.place() else { throw CorruptRow(column: "latitude") }
            return (since: $0["since"], place: place)
        }
    }

    /// A visit as evidence, apart from what others tell.
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
