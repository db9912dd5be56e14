/// For each bike the stations that hear it within a horizon: what a choice of stations is made from.
struct HeardSets: HearingSink, Sendable {
    private let horizon: Double
    /// The stations below this index exist already; bikes that they hear are left out.
    private let existing: Int
    /// Stations from here on are vehicles, which exist already, too.
    private let vehicles: Int
    private(set) var bikes = 0
    private(set) var heardAlready = 0
    /// For each remaining bike the end of its part of ``stations``.
    private(set) var ends: [Int32] = []
    /// Candidates, counted from 0.
    private(set) var stations: [Int32] = []
    private var isHeard = false

    /// Where very many places are close together, fewer bikes are used for the choice, for memory.
    private static let maximum = 2_000_000
    var isFull: Bool { stations.count >= Self.maximum }

    init(horizon: Horizon, existing: Int, vehicles: Int) {
        (self.horizon, self.existing, self.vehicles) = (horizon.seconds, existing, vehicles)
    }

    mutating func begin(model: Int, area: Int) { isHeard = false }

    mutating func heard(_ station: Int32, after seconds: Double) {
        guard seconds <= horizon, !isHeard else { return }
        if Int(station) < existing || Int(station) >= vehicles {
            isHeard = true
        } else {
            stations.append(station - Int32(existing))
        }
    }

    mutating func end() {
        bikes += 1
        let start = Int(ends.last ?? 0)
        if isHeard {
            heardAlready += 1
            stations.removeSubrange(start...)
        }
        if stations.count > start { ends.append(Int32(stations.count)) }
    }

    mutating func append(_ other: HeardSets) {
        bikes += other.bikes
        heardAlready += other.heardAlready
        let start = Int32(stations.count)
        stations += other.stations
        ends += other.ends.map { $0 + start }
    }
}
