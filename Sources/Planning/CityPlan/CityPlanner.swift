import Simulation

/// Makes a plan: chooses places for stations, and finds out what they would hear.
public struct CityPlanner: Sendable {
    /// How far a plan is.
    public struct Progress: Hashable, Sendable {
        /// What is being done, for people, such as “trying places”.
        public let activity: String
        /// How many steps of it are done.
        public let done: Int
        /// How many steps it has.
        public let of: Int

        public init(activity: String, done: Int, of: Int) {
            (self.activity, self.done, self.of) = (activity, done, of)
        }
    }

    private let city: City
    private let request: PlanRequest
    private let table: PassTable
    private let progress: @Sendable (Progress) -> Void

    /// The number of random choices to compare with.
    private static let randomChoices = 10

    /// Makes a plan for a request, whose numbers are first brought within their bounds.
    ///
    /// - Parameter progress: called from any thread.
    /// - Throws: ``ScenarioError`` if the places are too dense, or no simulated city fits the request’s experience;
    ///   `CancellationError`.
    public static func plan(
        _ request: PlanRequest, for city: City, progress: @Sendable @escaping (Progress) -> Void = { _ in }
    ) async throws -> PlanReport {
        let request = request.bounded
        progress(Progress(activity: "simulating passes", done: 0, of: 1))
        let survey = PassSurvey(interval: request.interval, measuredPower: request.measuredPower)
        let table = try await PassTable(survey, passes: request.passes, seed: request.seed)
        return try await CityPlanner(city: city, request: request, table: table, progress: progress).report()
    }

    /// What stations hear in one world that the plan does not use.
    ///
    /// - Parameters:
    ///   - stations: the order of the stations, as indices of the candidates.
    ///   - seed: of the world.
    /// - Returns: for each horizon the shares of the bikes that are heard, by the number of stations from 0.
    public static func outcome(
        of stations: [Int], _ request: PlanRequest, for city: City, table: PassTable, seed: UInt64
    ) async throws -> [[Double]] {
        var request = request
        request.worlds = 1
        request.experience = nil
        request.budget = stations.count
        request.seed = seed
        let vehicles = VehicleRounds(count: request.vehicles, in: city.streets, city.routes, seed: seed)
        let evaluation = try await Evaluation(
            city: city, request: request, table: table,
            orders: [stations.filter { request.candidates.indices.contains($0) }], vehicles: vehicles,
            progress: { _ in })
        return Horizon.allCases.map { evaluation.outcomes[0].counts.shares(order: 0, $0) }
    }

    private func report() async throws -> PlanReport {
        let choice = try await choosePlaces()
        let orders = try await orders(choice.choice)
        let evaluation = try await Evaluation(
            city: city, request: request, table: table, orders: orders, vehicles: vehicles, progress: progress)
        return PlanReport(
            request, city, choice: choice.choice, optimum: choice.optimum, evaluation, table)
    }

    private var vehicles: VehicleRounds {
        VehicleRounds(count: request.vehicles, in: city.streets, city.routes, seed: request.seed)
    }

    /// The best places for bikes that are not used again.
    ///
    /// - Returns: the greedy choice; and how many bikes the best one hears, nil if there are too many to compare all.
    private func choosePlaces() async throws -> (choice: MaximumCoverage.Choice, optimum: Int?) {
        let sites = request.existing + request.candidates
        let sets = try await heardSets(of: sites)
        progress(Progress(activity: "choosing places", done: 0, of: 1))
        let problem = MaximumCoverage(candidates: request.candidates.count, ends: sets.ends, stations: sets.stations)
        let choice = problem.greedy(request.budget)
        let stations = min(request.budget, request.candidates.count)
        // Larger problems take more steps than the search may have.
        let isSmall = request.candidates.count <= 40 && stations <= 8
        return (choice, isSmall ? problem.optimum(stations) : nil)
    }

    /// For each bike of the worlds for the choice the stations that hear it.
    ///
    /// - Parameter sites: the existing stations, and then the candidates.
    private func heardSets(of sites: [Site]) async throws -> HeardSets {
        let coverage = try await city.coverage(of: sites, reach: table.reach)
        let worlds = try await choiceWorlds()
        let bikesPerWorld = max(1, request.choiceBikes / worlds.count)
        let (city, request, table, vehicles, progress) = (city, request, table, vehicles, progress)
        let parts = try await parallel(
            worlds.count, done: { progress(Progress(activity: "trying places", done: $0, of: worlds.count)) }
        ) { index in
            let world = World(
                request.models, passes: table, routes: city.routes,
                seed: SplitMix64.mix(request.seed) ^ UInt64(worlds[index]), drawsVehicles: vehicles.count > 0)
            var simulator = TheftSimulator(
                city, world, coverage, rounds: vehicles,
                hours: StationHours(world, coverage, sites: sites.map(\.hours)), survey: table.survey)
            var sets = HeardSets(
                horizon: request.goal, existing: request.existing.count, vehicles: sites.count)
            // A world that counts several times has other bikes each time.
            let first = bikesPerWorld * worlds[..<index].count { $0 == worlds[index] }
            for bike in first..<first + bikesPerWorld where !sets.isFull { simulator.steal(bike, into: &sets) }
            return sets
        }
        var all = HeardSets(horizon: request.goal, existing: request.existing.count, vehicles: sites.count)
        for part in parts { all.append(part) }
        return all
    }

    /// The number of worlds for which the places are chosen.
    private static let choiceWorldCount = 50
    /// The number of the first of them, above those of all worlds that judge the choice.
    private static let firstChoiceWorld = 1_000_000

    /// The numbers of the worlds for which the places are chosen; other worlds judge them. With experience, worlds are
    /// drawn by their weights, so a world that agrees with it can count several times.
    private func choiceWorlds() async throws -> [Int] {
        let first = Self.firstChoiceWorld
        guard let experience = request.experience, !experience.searches.isEmpty else {
            return Array(first..<first + Self.choiceWorldCount)
        }
        var present = request
        present.budget = 0
        let evaluation = try await Evaluation(
            city: city, request: present, table: table, orders: [[]], vehicles: vehicles, first: first,
            activity: "comparing with searches", progress: progress)
        return Self.draw(Self.choiceWorldCount, by: evaluation.weights).map { first + $0 }
    }

    /// Systematic sampling: each index about as often as its share of the weights says.
    static func draw(_ count: Int, by weights: [Double]) -> [Int] {
        let step = weights.reduce(0, +) / Double(count)
        var drawn: [Int] = []
        var sum = 0.0
        for (index, weight) in weights.enumerated() {
            sum += weight
            while drawn.count < count, (Double(drawn.count) + 0.5) * step < sum { drawn.append(index) }
        }
        return drawn
    }

    /// The planned order, the one by traffic, and random ones: indices of candidates.
    private func orders(_ choice: MaximumCoverage.Choice) async throws -> [[Int]] {
        let busiest = try await mostTraffic()
        var random = SplitMix64(seed: request.seed, stream: "random places")
        let drawn = (0..<Self.randomChoices).map { _ in
            var left = Array(request.candidates.indices)
            return (0..<min(request.budget, left.count)).map { _ in
                let index = Int(random.next(below: UInt64(left.count)))
                left.swapAt(index, left.count - 1)
                return left.removeLast()
            }
        }
        return [choice.stations, Array(busiest.prefix(request.budget))] + drawn
    }

    /// The candidates by the number of journeys through the city that pass them within 30 metres, the busiest first.
    private func mostTraffic() async throws -> [Int] {
        let coverage = try await city.coverage(of: request.candidates, reach: 30)
        var counts = [Int](repeating: 0, count: request.candidates.count)
        var finder = WayFinder(city, coverage)
        var random = SplitMix64(seed: request.seed, stream: "traffic")
        var passes: [WayFinder.Pass] = []
        var world = World(request.models, passes: table, routes: city.routes, seed: request.seed)
        let lastModel = world.rides.count - 1
        // A hundred journeys for each candidate, and no more than suffice to compare the busiest ones.
        for _ in 0..<min(20_000, 100 * counts.count) {
            let start = city.theft(at: random.uniform())
            let cell = world.rides[lastModel].destination(
                from: city.routes.cell[Int(start)], in: city.routes, at: random.uniform())
            passes.removeAll(keepingCapacity: true)
            finder.passes(
                from: start, by: cell, to: city.routes.member(of: cell, at: random.uniform()), into: &passes)
            for pass in passes { counts[Int(pass.station)] += 1 }
        }
        return counts.indices.sorted { counts[$0] == counts[$1] ? $0 < $1 : counts[$0] > counts[$1] }
    }
}

extension PlanRequest {
    /// The same request with all numbers within their bounds.
    fileprivate var bounded: PlanRequest {
        var request = self
        request.candidates = Array(candidates.prefix(Self.maximumSites))
        request.existing = Array(existing.prefix(Self.maximumSites))
        request.vehicles = max(0, min(1000, vehicles))
        request.budget = max(0, min(1000, budget))
        let mostForNew = Self.maximumCounts / (request.budget + 1)
        let mostForExisting = Self.maximumStationCounts / (request.existing.count + 1)
        // Fewer than 19 worlds have no interval of 90 %.
        request.worlds = max(19, min(9999, worlds, mostForNew, mostForExisting))
        request.bikes = max(10, min(1_000_000, bikes, Self.maximumBikes / request.worlds))
        // At least one bike for each world of the choice.
        request.choiceBikes = max(50, min(1_000_000, choiceBikes))
        request.passes = max(10, min(100_000, passes))
        return request
    }
}
