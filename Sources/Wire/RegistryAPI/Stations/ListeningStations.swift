/// Response to `GET /v1/bikes/{id}/reports/{rid}/stations`: how many stations listen for a missing bike, and how often
/// earlier searches were heard.
public struct ListeningStations: Codable, Hashable, Sendable {
    /// The number of stations that hear beacons now.
    public var listening: Int
    /// An upper bound of the distance from the report's last place to the nearest of them, in metres, a multiple of
    /// 1,000; absent if the report has no place, or no station listens. An owner learns where a station is only when it
    /// hears the bike.
    public var nearest: Double?
    /// The number of partner registries' stations that listen for the bike, too, as they said within the last days; absent
    /// if there are none, or if only this registry's stations may search.
    public var partners: Int?
    /// Absent after fewer than ``SearchOdds/leastSearches`` searches.
    public var odds: SearchOdds?

    public init(listening: Int, nearest: Double? = nil, partners: Int? = nil, odds: SearchOdds? = nil) {
        self.listening = listening
        self.nearest = nearest
        self.partners = partners
        self.odds = odds
    }
}

extension ListeningStations {
    /// Counts the stations that listen.
    ///
    /// - Parameters:
    ///   - lastPlace: where the bike was last seen; nil if unknown.
    ///   - closed: earlier searches.
    public init(_ map: StationMap, from lastPlace: Place?, after closed: ClosedSearches) {
        let places = map.stations.filter { $0.state == .listening }
            .map { Place(latitude: Self.coarse($0.latitude), longitude: Self.coarse($0.longitude)) }
        let distance = lastPlace.flatMap { last in places.map { last.distance(to: $0) }.min() }
        self.init(listening: places.count, nearest: distance.map(Self.roundedUp), odds: SearchOdds(closed))
    }

    /// The middle of the field of the grid. An owner can move the report's last place, and so measure from many places:
    /// these measurements must reveal no more than the field.
    private static func coarse(_ degrees: Double) -> Double { ((degrees * 100).rounded(.down) + 0.5) / 100 }

    /// The longest way from the middle of a field to a place in it, in metres.
    private static let fromMiddle = 790.0

    /// An upper bound of the distance to a place in a field, given that to its middle, in metres.
    private static func roundedUp(_ metres: Double) -> Double { ((metres + fromMiddle) / 1000).rounded(.up) * 1000 }
}
