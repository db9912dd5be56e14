/// For each bike the stations that hear it within a horizon: what a choice of stations is made from.
struct HeardSets: HearingSink, Sendable {
    /// In seconds since the report.
    private let horizon: Double
    /// The stations below this index exist already; bikes that they hear are left out.
    private let existing: Int
    /// Stations from here on are vehicles, which exist already, too.
    private let vehicles: Int
    /// For each bike that only candidates hear, the end of its part of ``stations``.
    private(set) var ends: [Int32] = []
    /// Candidates, counted from 0.
    private(set) var stations: [Int32] = []
    /// Whether an existing station hears the bike that is being stolen.
    private var isHeardAlready = false

    /// Where very many places are close together, fewer bikes are used for the choice, for memory.
    private static let maximum = 2_000_000
    var isFull: Bool { stations.count >= Self.maximum }

    /// - Parameters:
    ///   - existing: the number of stations that exist already.
    ///   - vehicles: the index of the first vehicle.
    init(horizon: Horizon, existing: Int, vehicles: Int) {
        (self.horizon, self.existing, self.vehicles) = (horizon.seconds, existing, vehicles)
    }

    mutating func begin(model: Int, area: Int) { isHeardAlready = false }

    mutating func heard(_ station: Int32, after seconds: Double) {
        guard seconds <= horizon, !isHeardAlready else { return }
        if Int(station) < existing || Int(station) >= vehicles {
            isHeardAlready = true
        } else {
            stations.append(station - Int32(existing))
        }
    }

    mutating func end() {
        let start = Int(ends.last ?? 0)
        if isHeardAlready { stations.removeSubrange(start...) }
        if stations.count > start { ends.append(Int32(stations.count)) }
    }

    /// Adds the bikes of another part of the simulation.
    mutating func append(_ other: HeardSets) {
        let start = Int32(stations.count)
        stations += other.stations
        ends += other.ends.map { $0 + start }
    }
}
