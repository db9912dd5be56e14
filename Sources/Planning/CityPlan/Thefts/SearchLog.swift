import Simulation

/// Everything that stations heard of one bike, from its report on: what a registry would know of it.
public struct SearchLog: Hashable, Sendable {
    /// The time that the bike spent near one station.
    public struct Stay: Hashable, Sendable {
        /// The index of the station.
        public let station: Int
        /// In hours since the report.
        public let from: Double
        /// In hours since the report, at most 720; as ``from`` if the bike only passed.
        public let until: Double
    }

    /// When the theft was reported, in hours since midnight.
    public internal(set) var hour = 0.0
    /// In the order of their beginning.
    public internal(set) var stays: [Stay] = []
}

/// Keeps the log of each bike.
private struct SearchLogs: HearingSink {
    private(set) var logs: [SearchLog] = []

    var wantsAll: Bool { true }

    mutating func begin(model: Int, area: Int) { logs.append(SearchLog()) }

    mutating func reported(at clock: Double) { logs[logs.count - 1].hour = clock / 3600 }

    mutating func heard(_ station: Int32, after seconds: Double) { heard(station, after: seconds, until: seconds) }

    mutating func heard(_ station: Int32, after seconds: Double, until end: Double) {
        logs[logs.count - 1].stays.append(
            SearchLog.Stay(station: Int(station), from: seconds / 3600, until: min(end / 3600, 720)))
    }

    mutating func end() { logs[logs.count - 1].stays.sort { $0.from < $1.from } }
}

extension City {
    /// What stations hear of bikes in some worlds, which are drawn from the models.
    ///
    /// - Parameter bikes: how many are stolen in each world.
    /// - Returns: a log for each bike of each world.
    /// - Throws: ``ScenarioError`` if the stations are too close together; `CancellationError`.
    public func searchLogs(
        _ bikes: Int, worlds: Int, of stations: [Site], _ models: PlanModels, _ table: PassTable, seed: UInt64
    ) async throws -> [SearchLog] {
        let coverage = try await coverage(of: stations, reach: table.reach)
        let parts = try await parallel(worlds) { number in
            let world = World(
                models, passes: table, routes: routes, seed: SplitMix64.mix(seed) ^ UInt64(number))
            var simulator = TheftSimulator(
                self, world, coverage, hours: StationHours(world, coverage, sites: stations.map(\.hours)),
                survey: table.survey)
            var logs = SearchLogs()
            for bike in 0..<bikes { simulator.steal(bike, into: &logs) }
            return logs.logs
        }
        return parts.flatMap(\.self)
    }
}
