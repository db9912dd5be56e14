import Simulation

/// The choices of places to compare a plan with: those with most traffic, and random ones.
struct Baselines: Sendable {
    let city: City
    let request: PlanRequest
    let table: PassTable

    /// The number of random choices.
    private static let randomChoices = 10
    /// How near a journey must pass a place to count, in metres: on its street or crossing, and not on the next street.
    private static let reach = 30.0

    /// The order by traffic, and then the random ones, as indices of candidates. ``Evaluation`` and ``PlanReport`` expect
    /// them in this order, after the planned one.
    func orders() async throws -> [[Int]] {
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
        return [Array(busiest.prefix(request.budget))] + drawn
    }

    /// The candidates by the number of journeys through the city that pass them within ``reach``, the busiest first.
    private func mostTraffic() async throws -> [Int] {
        let coverage = try await city.coverage(of: request.candidates, reach: Self.reach)
        var counts = [Int](repeating: 0, count: request.candidates.count)
        var finder = WayFinder(city, coverage)
        var random = SplitMix64(seed: request.seed, stream: "traffic")
        var passes: [WayFinder.Pass] = []
        var world = World(request.models, passes: table, routes: city.routes, seed: request.seed)
        // Of the shipped models the last is `rider`, who rides as everybody does; rides are equally long in all of them.
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
