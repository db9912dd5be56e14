import Foundation
import RegistryAPI
import RegistryRules

/// A station whose visits are recorded, read once for all of its visits.
struct RecordingStation {
    let key: Int64
    let id: StationID
    let venue: String
    let isMobile: Bool
    /// Whether it represents all users of the original app.
    let isApp: Bool
    /// Whether it is a station of a partner, which reports only bikes whose owners agreed.
    var isForeign = false
    /// The station's places, the latest first; the oldest applies from the beginning of time.
    var places: [(since: Int64, place: Place)] = []

    /// Whether it is enrolled here.
    var isOwn: Bool { !isApp && !isForeign }

    private static let query = SetStatement(
        given: [("station", .blob)],
        """
        SELECT station.key, station.id, venue, mobile, app, partner IS NOT NULL, since, latitude,
            longitude, accuracy
        FROM given CROSS JOIN station JOIN station_place ON station_place.station = station.key
        WHERE station.id = given.station AND revoked IS NULL AND NOT EXISTS (
            SELECT 1 FROM partner WHERE partner.key = station.partner AND suspended IS NOT NULL
        )
        """)

    /// The stations with these identifiers, without unknown and revoked ones, and without those of suspended partners.
    static func all(_ db: any Transaction, _ ids: Set<StationID>) throws -> [StationID: RecordingStation] {
        var stations: [StationID: RecordingStation] = [:]
        try db.eachColumns(query, Parameters(ids.map { $0 })) { columns in
            let station = RecordingStation(
                key: columns.integer(), id: try columns.id(), venue: columns.text(), isMobile: columns.bool(),
                isApp: columns.bool(), isForeign: columns.bool())
            let since = columns.integer()
            guard let place = try columns.place() else { throw CorruptRow(column: "latitude") }
            stations[station.id, default: station].places.append((since, place))
        }
        for id in stations.keys { stations[id]?.places.sort { $0.since > $1.since } }
        return stations
    }

    /// A visit as evidence, independent of other stations.
    func evidence(_ visit: Visit, reportsEverything: Bool, slot: HeardSlot?) throws -> SightingEvidence {
        let time = max(visit.lastSeen.milliseconds, 0)
        guard let stood = places.first(where: { $0.since <= time })?.place else { throw CorruptRow(column: "since") }
        var marks: SightingEvidence.Marks = []
        if isApp { marks.insert(.unverified) }
        if reportsEverything { marks.insert(.reportsEverything) }
        return SightingEvidence(
            visit, at: id, venue: venue, standing: stood, isMobile: isMobile, marks: marks, slot: slot)
    }
}
