import Glibc
import Simulation
import Synchronization

/// What some orders of stations hear in many worlds.
struct Evaluation: Sendable {
    /// The counts of each world.
    let worlds: [HeardTally.Counts]
    /// For each model the counts of all worlds together.
    let models: [HeardTally.Counts]
    /// For each world the shares of the models.
    let mixtures: [[Double]]
    /// The weight of each world; equal without experience.
    let weights: [Double]
    let onlyHere: [Int]
    let delays: [Int]
    let areas: [(stolen: Int, heard: Int)]

    /// - Parameter orders: indices of candidates.
    init(
        city: City, request: PlanRequest, table: PassTable, orders: [[Int]], vehicles: VehicleRounds,
        progress: @Sendable @escaping (CityPlanner.Progress) -> Void
    ) async throws {
        // Only the stations of some order are simulated.
        let used = Set(orders.joined()).sorted()
        let sites = request.existing + used.map { request.candidates[$0] }
        let coverage = try await city.coverage(of: sites, reach: table.reach)
        let existing = request.existing.count
        let ranks = orders.map { order in
            var ranks = [Int32](repeating: .max, count: sites.count + vehicles.count)
            for station in 0..<existing { ranks[station] = 0 }
            for vehicle in 0..<vehicles.count { ranks[sites.count + vehicle] = 0 }
            let numbers = Dictionary(uniqueKeysWithValues: zip(used, existing...))
            for (number, candidate) in order.enumerated() {
                if let station = numbers[candidate] { ranks[station] = Int32(number + 1) }
            }
            return ranks
        }
        let count = request.worlds
        // For each world only its counts are kept, for memory. Sums of integers do not depend on their order.
        let sums = Mutex(
            Sums(
                models: [HeardTally.Counts](
                    repeating: HeardTally.Counts(orders: orders.count, most: request.budget),
                    count: request.models.thieves.count),
                existing: existing, areas: city.routes.anchors.count))
        let results = try await parallel(
            count, done: { progress(CityPlanner.Progress(activity: "stealing bikes", done: $0, of: count)) }
        ) { number in
            let world = World(
                request.models, passes: table, routes: city.routes,
                seed: SplitMix64.mix(request.seed) ^ UInt64(number), drawsVehicles: vehicles.count > 0)
            var simulator = TheftSimulator(
                city, world, coverage, rounds: vehicles,
                hours: StationHours(world, coverage, sites: sites.map(\.hours)), survey: table.survey)
            var tally = HeardTally(
                ranks: ranks, most: request.budget, existing: existing, models: request.models.thieves.count,
                areas: city.routes.anchors.count, goal: request.goal)
            for bike in 0..<request.bikes { simulator.steal(bike, into: &tally) }
            sums.withLock { $0.add(tally) }
            return (counts: tally.all, mixture: zip(world.running, [0] + world.running).map { $0 - $1 })
        }
        worlds = results.map(\.counts)
        mixtures = results.map(\.mixture)
        (models, onlyHere, delays, areas) = sums.withLock { ($0.models, $0.onlyHere, $0.delays, $0.areas) }
        weights = Self.weights(of: worlds, after: request.experience)
    }

    /// What is counted over all worlds.
    private struct Sums: Sendable {
        var models: [HeardTally.Counts]
        var onlyHere: [Int]
        var delays = [Int](repeating: 0, count: HeardTally.spans + 1)
        var areas: [(stolen: Int, heard: Int)]

        init(models: [HeardTally.Counts], existing: Int, areas: Int) {
            self.models = models
            onlyHere = [Int](repeating: 0, count: existing)
            self.areas = [(stolen: Int, heard: Int)](repeating: (0, 0), count: areas)
        }

        mutating func add(_ tally: HeardTally) {
            for index in models.indices { models[index].add(tally.models[index]) }
            for index in onlyHere.indices { onlyHere[index] += Int(tally.onlyHere[index]) }
            for index in delays.indices { delays[index] += Int(tally.delays[index]) }
            for index in areas.indices {
                areas[index].stolen += Int(tally.areas[index].stolen)
                areas[index].heard += Int(tally.areas[index].heard)
            }
        }
    }

    /// How likely each world is, by how well it predicted what became of real searches with the existing stations.
    private static func weights(of worlds: [HeardTally.Counts], after experience: Experience?) -> [Double] {
        guard let experience, !experience.searches.isEmpty else { return worlds.map { _ in 1 } }
        let logs = worlds.map { world in
            experience.logLikelihood(
                heard: Horizon.allCases.map { world.heard(order: 0, $0, stations: 0) }, of: world.bikes)
        }
        let most = logs.max() ?? 0
        return logs.map { exp($0 - most) }
    }

    /// The number of equally likely worlds that would be as informative (Kish’s effective sample size).
    var effectiveWorlds: Double {
        let (sum, squares) = (weights.reduce(0, +), weights.reduce(0) { $0 + $1 * $1 })
        return squares > 0 ? sum * sum / squares : 0
    }

    /// The bikes of all worlds.
    var bikes: Int { worlds.reduce(0) { $0 + $1.bikes } }
}
