/// What some orders of stations hear in many worlds.
struct Evaluation: Sendable {
    let outcomes: [Outcome]
    /// The weight of each world, in the order of the outcomes; equal without experience.
    let weights: [Double]
    /// How the weights came about; nil without experience.
    let weighing: Experience.Weighing?

    /// Which of this many orders are random: all after the planned one and the one by traffic.
    static func randomOrders(of count: Int) -> Range<Int> { min(2, count)..<count }

    /// Steals the request’s bikes in each of its worlds.
    ///
    /// - Parameters:
    ///   - orders: the planned order, the one by traffic and the random ones, as indices of candidates.
    ///   - first: the number of the first world; another number has other worlds.
    ///   - activity: what the progress is called.
    /// - Throws: ``ScenarioError`` if no world could bring about the request’s experience.
    init(
        city: City, request: PlanRequest, table: PassTable, orders: [[Int]], vehicles: VehicleRounds,
        first: Int = 0, activity: String = "stealing bikes",
        progress: @Sendable @escaping (CityPlanner.Progress) -> Void
    ) async throws {
        // Only the stations of some order are simulated.
        let used = Set(orders.joined()).sorted()
        let sites = request.existing + used.map { request.candidates[$0] }
        let coverage = try await city.coverage(of: sites, reach: table.reach)
        let existing = request.existing.count
        // The stations are numbered: first those that exist, then the used candidates, then the vehicles.
        let stationOfCandidate: [Int: Int] = Dictionary(uniqueKeysWithValues: zip(used, existing...))
        let ranks = orders.map { order in
            var ranks = [Int32](repeating: .max, count: sites.count + vehicles.count)
            for station in 0..<existing { ranks[station] = 0 }
            for vehicle in 0..<vehicles.count { ranks[sites.count + vehicle] = 0 }
            for (place, candidate) in order.enumerated() {
                if let station = stationOfCandidate[candidate] { ranks[station] = Int32(place + 1) }
            }
            return ranks
        }
        let count = request.worlds
        let stations = orders.first?.count ?? 0
        outcomes = try await parallel(
            count, done: { progress(CityPlanner.Progress(activity: activity, done: $0, of: count)) }
        ) { number in
            let world = World(
                request.models, passes: table, routes: city.routes,
                seed: request.worldSeed(first + number), drawsVehicles: vehicles.count > 0)
            var simulator = TheftSimulator(
                city, world, coverage, rounds: vehicles,
                hours: StationHours(world, coverage, sites: sites.map(\.hours)), survey: table.survey)
            var tally = HeardTally(
                ranks: ranks, most: request.budget, existing: existing, models: request.models.thieves.count,
                areas: city.routes.anchors.count, goal: request.goal)
            for bike in 0..<request.bikes { simulator.steal(bike, into: &tally) }
            return Outcome(tally, world, stations: stations, goal: request.goal)
        }
        if let experience = request.experience, !experience.searches.isEmpty {
            weighing = try experience.weighing(outcomes.map(\.counts))
        } else {
            weighing = nil
        }
        weights = weighing?.weights ?? outcomes.map { _ in 1 }
    }

    /// The sum over all worlds of a number, by their weights.
    func sum(_ value: (Outcome) -> Double) -> Double {
        zip(outcomes, weights).reduce(0) { $0 + value($1.0) * $1.1 }
    }

    /// The sums over all worlds of some counts, by their weights.
    func sums(_ counts: (Outcome) -> [Int32]) -> [Double] {
        var sums = [Double](repeating: 0, count: outcomes.first.map { counts($0).count } ?? 0)
        for (outcome, weight) in zip(outcomes, weights) where weight > 0 {
            for (index, count) in counts(outcome).enumerated() { sums[index] += weight * Double(count) }
        }
        return sums
    }

    /// The number of bikes in all worlds, by their weights.
    var bikes: Double { sum { Double($0.counts.bikes) } }
}
