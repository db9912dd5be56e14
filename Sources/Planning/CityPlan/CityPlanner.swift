import Simulation

/// Makes a plan: chooses places for stations, and finds out what they would hear.
///
/// There are four steps:
/// 1. passes are played, which give the chances that a station hears a passing bike (``PassTable``);
/// 2. bikes are stolen in some worlds, and the places that hear most of them are chosen (``MaximumCoverage``);
/// 3. other choices are made to compare with (``Baselines``);
/// 4. bikes are stolen in other worlds, which judge all choices (``Evaluation``); ``PlanReport`` has the result.
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

    /// What stations hear in one world that the plan does not use. For benchmarks, which compare it with the plan.
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
        let baselines = try await Baselines(city: city, request: request, table: table).orders()
        let orders = [choice.choice.stations] + baselines
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
                seed: request.worldSeed(worlds[index]), drawsVehicles: vehicles.count > 0)
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

    /// The number of worlds for which the places are chosen: so many that no single one decides, and so few that each
    /// has at least 80 bikes by default (``PlanRequest/choiceBikes``).
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
}

extension PlanRequest {
    /// The bounds that the properties name.
    private enum Bounds {
        static let vehicles = 0...1000
        static let budget = 0...1000
        /// Fewer than 19 worlds have no interval of 90 %.
        static let worlds = 19...9999
        static let bikes = 10...1_000_000
        /// At least one bike for each world of the choice.
        static let choiceBikes = 50...1_000_000
        static let passes = 10...100_000
    }

    /// The same request with all numbers within their bounds.
    fileprivate var bounded: PlanRequest {
        func bound(_ number: Int, _ bounds: ClosedRange<Int>) -> Int {
            max(bounds.lowerBound, min(bounds.upperBound, number))
        }
        var request = self
        request.candidates = Array(candidates.prefix(Self.maximumSites))
        request.existing = Array(existing.prefix(Self.maximumSites))
        request.vehicles = bound(vehicles, Bounds.vehicles)
        request.budget = bound(budget, Bounds.budget)
        let mostForNew = Self.maximumCounts / (request.budget + 1)
        let mostForExisting = Self.maximumStationCounts / (request.existing.count + 1)
        request.worlds = bound(min(worlds, mostForNew, mostForExisting), Bounds.worlds)
        request.bikes = bound(min(bikes, Self.maximumBikes / request.worlds), Bounds.bikes)
        request.choiceBikes = bound(choiceBikes, Bounds.choiceBikes)
        request.passes = bound(passes, Bounds.passes)
        return request
    }

    /// The seed of the world with a number. The request's seed is mixed first: otherwise XOR would give requests with
    /// similar seeds the same worlds in another order.
    func worldSeed(_ number: Int) -> UInt64 { SplitMix64.mix(seed) ^ UInt64(number) }
}
