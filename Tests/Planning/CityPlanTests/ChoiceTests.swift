import Simulation
import Testing

@testable import CityPlan

@Suite("The choice of places")
struct ChoiceTests {
    private func problem(_ seed: UInt64, candidates: Int = 9, bikes: Int = 60) -> (MaximumCoverage, [[Int]]) {
        var random = SplitMix64(seed: seed)
        let sets = (0..<bikes).map { _ in (0..<candidates).filter { _ in random.uniform() < 0.2 } }
        return (MaximumCoverage(candidates: candidates, heardBy: sets), sets)
    }

    /// The best of all choices, by trying each.
    private func best(_ sets: [[Int]], candidates: Int, _ count: Int) -> Int {
        (0..<(1 << candidates)).filter { $0.nonzeroBitCount == count }.map { mask in
            sets.count { $0.contains { mask & (1 << $0) != 0 } }
        }.max() ?? 0
    }

    @Test("is at least what it proves, and mostly the optimum", arguments: 1...12 as ClosedRange<UInt64>)
    func optimum(seed: UInt64) {
        let (problem, sets) = problem(seed)
        for count in 1...4 {
            let choice = problem.greedy(count)
            let best = best(sets, candidates: 9, count)
            #expect(problem.optimum(count) == best)
            #expect(choice.heard == problem.heard(by: choice.stations))
            #expect(choice.bound >= best)
            #expect(Double(choice.heard) >= choice.guarantee * Double(best) - 1e-9)
            #expect(Double(choice.heard) >= 0.95 * Double(best) - 1)
            #expect(choice.gains == choice.gains.sorted(by: >))
        }
    }

    @Test("is the same as without lazy evaluation", arguments: 1...5 as ClosedRange<UInt64>)
    func lazy(seed: UInt64) {
        let (problem, _) = problem(seed, candidates: 40, bikes: 400)
        var chosen: [Int] = []
        for _ in 0..<10 {
            let before = problem.heard(by: chosen)
            let gains = (0..<40).map { problem.heard(by: chosen + [$0]) - before }
            guard let best = gains.max(), best > 0 else { break }
            chosen.append(gains.firstIndex(of: best) ?? 0)
        }
        #expect(problem.greedy(10).stations == chosen)
    }

    @Test("stops when no place adds anything")
    func nothing() {
        let problem = MaximumCoverage(candidates: 5, heardBy: [[1], [1], [3], [], [99, -1]])
        #expect(problem.greedy(5).stations == [1, 3])
        #expect(MaximumCoverage(candidates: 0, heardBy: []).greedy(3).stations.isEmpty)
        #expect(problem.greedy(0).heard == 0)
    }
}

@Suite("Intervals")
struct IntervalTests {
    @Test("with 199 worlds, the interval is from the tenth smallest to the tenth greatest")
    func orderStatistics() {
        let interval = Interval((1...199).map { Double($0) / 200 }.shuffled())
        #expect(interval.low == 10 / 200.0)
        #expect(interval.high == 190 / 200.0)
        #expect(abs(interval.share - 0.5) < 1e-9)
    }

    @Test("covers one more draw in 90 of 100 cases, whatever the distribution")
    func coverage() {
        var random = SplitMix64(seed: 5)
        let trials = 4000
        let covered = (0..<trials).count { _ in
            let draws = (0..<100).map { _ in random.exponential() * random.uniform() }
            let interval = Interval(Array(draws.dropFirst()))
            return (interval.low...interval.high).contains(draws[0])
        }
        #expect(abs(Double(covered) / Double(trials) - 0.9) < 0.02)
    }

    @Test("whatever the number of worlds, the interval has at least 90 %, and no more than it must")
    func formula() {
        for count in 19...430 {
            let interval = Interval((1...count).map { Double($0) / Double(count + 1) })
            let (low, high) = (interval.low * Double(count + 1), interval.high * Double(count + 1))
            #expect(abs(low + high - Double(count + 1)) < 1e-9)
            #expect((high - low) / Double(count + 1) >= 0.9 - 1e-9, "\(count)")
            #expect((high - low - 2) / Double(count + 1) < 0.9 - 1e-9, "\(count)")
        }
    }

    @Test("heavier worlds count more")
    func weights() {
        let interval = Interval([0.1, 0.5, 0.9], weights: [0, 1, 0])
        #expect(interval.low == 0.5 && interval.high == 0.5 && interval.share == 0.5)
        #expect(CityPlanner.draw(4, by: [0, 3, 0, 1]) == [1, 1, 1, 3])
        #expect(CityPlanner.draw(3, by: [1, 1, 1]) == [0, 1, 2])
    }
}
