/// Response to `GET /v1/bikes/{id}/reports/{rid}/stations`: how many stations listen for a missing bike, and how often
/// earlier searches were heard.
public struct ListeningStations: Codable, Hashable, Sendable {
    /// The number of stations that hear beacons now.
    public var listening: Int
    /// The distance in metres from the report's last place to the nearest of them, rounded up; absent if the report has
    /// no place, or no station listens. An owner learns where a station is only when it hears the bike.
    public var nearest: Double?
    /// Absent after fewer than ``SearchOdds/leastSearches`` searches.
    public var odds: SearchOdds?

    public init(listening: Int, nearest: Double? = nil, odds: SearchOdds? = nil) {
        self.listening = listening
        self.nearest = nearest
        self.odds = odds
    }
}

extension ListeningStations {
    /// Counts the stations that listen.
    ///
    /// - Parameters:
    ///   - lastPlace: where the bike was last seen; nil if nobody knows.
    ///   - closed: earlier searches.
    public init(_ map: StationMap, from lastPlace: Place?, after closed: ClosedSearches) {
        let places = map.stations.filter { $0.state == .listening }
            .map { Place(latitude: $0.latitude, longitude: $0.longitude) }
        let distance = lastPlace.flatMap { last in places.map { last.distance(to: $0) }.min() }
        self.init(listening: places.count, nearest: distance.map(Self.roundedUp), odds: SearchOdds(closed))
    }

    /// To 100 m, and beyond 2 km to 1 km, so that a few reports do not reveal a station's place.
    private static func roundedUp(_ metres: Double) -> Double {
        let step: Double = metres > 2000 ? 1000 : 100
        return max(100, (metres / step).rounded(.up) * step)
    }
}
