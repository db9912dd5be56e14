import Simulation

/// The choice of stations that together hear the most bikes: the problem of maximum coverage.
///
/// What a set of stations hears is a monotone submodular function of the set, so a greedy choice hears at least
/// 1 − 1/e = 63 % of what the best choice does (Nemhauser, Wolsey, Fisher 1978). Lazy evaluation (Minoux 1978) makes it
/// fast: a gain can only shrink, so one that is out of date is an upper bound.
public struct MaximumCoverage: Sendable {
    /// The number of places to choose from.
    public let candidates: Int
    /// For each candidate the index of its first bike in ``bikes``, and one more at the end.
    private let firstBike: [Int32]
    /// The bikes that each candidate hears, one candidate after the other.
    private let bikes: [Int32]
    /// The number of all bikes, also of those that no candidate hears.
    private let bikeCount: Int

    /// - Parameters:
    ///   - ends: for each bike the end of its part of `stations`, ascending.
    ///   - stations: indices below `candidates`, without repetition for a bike.
    init(candidates: Int, ends: [Int32], stations: [Int32]) {
        self.candidates = candidates
        bikeCount = ends.count
        var first = [Int32](repeating: 0, count: candidates + 1)
        for station in stations { first[Int(station) + 1] += 1 }
        for index in 0..<candidates { first[index + 1] += first[index] }
        var next = first
        var bikes = [Int32](repeating: 0, count: stations.count)
        var start = 0
        for (bike, end) in ends.enumerated() {
            for station in stations[start..<Int(end)] {
                bikes[Int(next[Int(station)])] = Int32(bike)
                next[Int(station)] += 1
            }
            start = Int(end)
        }
        (firstBike, self.bikes) = (first, bikes)
    }

    /// The problem of some bikes.
    ///
    /// - Parameter sets: for each bike the candidates that hear it; indices that are no candidates are left out.
    public init(candidates: Int, heardBy sets: [[Int]]) {
        var ends: [Int32] = []
        var stations: [Int32] = []
        for set in sets {
            stations += Set(set).filter { (0..<candidates).contains($0) }.sorted().map { Int32($0) }
            ends.append(Int32(stations.count))
        }
        self.init(candidates: candidates, ends: ends, stations: stations)
    }

    /// A choice in the order in which it was made.
    public struct Choice: Hashable, Sendable {
        /// Indices of candidates.
        public let stations: [Int]
        /// What each of them adds, in bikes; never more than the one before.
        public let gains: [Int]
        /// An upper bound of what any choice of this many stations hears, in bikes.
        public let bound: Int

        /// What all of them hear together, in bikes.
        public var heard: Int { gains.reduce(0, +) }
        /// The proved share of the optimum, at least 1 − 1/e.
        public var guarantee: Double {
            let shareOfBound = bound > 0 ? Double(heard) / Double(bound) : 1
            return max(1 - Self.inverseOfE, shareOfBound)
        }

        private static let inverseOfE = 0.367_879_441_171_442_33
    }

    /// How many more bikes would be heard with one more station.
    private struct Gain: Comparable, Sendable {
        let bikes: Int32
        let station: Int32
        /// The number of stations that were chosen when it was computed. It is out of date if more are chosen now.
        let round: Int32

        /// The greatest comes first in a heap; of equal ones, the first station.
        static func < (left: Gain, right: Gain) -> Bool {
            left.bikes == right.bikes ? left.station < right.station : left.bikes > right.bikes
        }
    }

    /// The greedy choice; fewer than `count` stations if no other adds a bike.
    public func greedy(_ count: Int) -> Choice {
        var covered = [Bool](repeating: false, count: bikeCount)
        var queue = MinHeap<Gain>()
        for station in 0..<candidates {
            let gain = firstBike[station + 1] - firstBike[station]
            if gain > 0 { queue.insert(Gain(bikes: gain, station: Int32(station), round: 0)) }
        }
        var chosen: [Int] = []
        var gains: [Int] = []
        var bound = upperBound(count, covered, heard: 0)
        while chosen.count < count, let top = queue.removeFirst() {
            let round = Int32(chosen.count)
            guard top.round == round else {
                let gain = Int32(newBikes(of: Int(top.station), covered))
                if gain > 0 { queue.insert(Gain(bikes: gain, station: top.station, round: round)) }
                continue
            }
            for bike in bikes(of: Int(top.station)) { covered[Int(bike)] = true }
            chosen.append(Int(top.station))
            gains.append(Int(top.bikes))
            // A bound after a quarter, a half, three quarters and all of the choice: each costs a pass over everything.
            if chosen.count % max(1, count / 4) == 0 || chosen.count == count {
                bound = min(bound, upperBound(count, covered, heard: gains.reduce(0, +)))
            }
        }
        return Choice(stations: chosen, gains: gains, bound: min(bound, bikeCount))
    }

    /// An upper bound from what is chosen already: the best `count` stations could add no more than their gains
    /// together (Leskovec and others, “Cost-effective outbreak detection in networks”, 2007).
    ///
    /// - Parameters:
    ///   - covered: for each bike whether a chosen station hears it.
    ///   - heard: the number of these bikes.
    private func upperBound(_ count: Int, _ covered: [Bool], heard: Int) -> Int {
        let gains = (0..<candidates).map { newBikes(of: $0, covered) }
        return heard + gains.sorted(by: >).prefix(count).reduce(0, +)
    }

    /// The number of bikes that a station hears, and that are not covered yet.
    private func newBikes(of station: Int, _ covered: [Bool]) -> Int {
        bikes(of: station).count { !covered[Int($0)] }
    }

    private func bikes(of station: Int) -> ArraySlice<Int32> {
        bikes[Int(firstBike[station])..<Int(firstBike[station + 1])]
    }

    /// How many bikes some stations hear together.
    ///
    /// - Parameter chosen: indices of candidates.
    public func heard(by chosen: some Sequence<Int>) -> Int {
        var covered = [Bool](repeating: false, count: bikeCount)
        for station in chosen { for bike in bikes(of: station) { covered[Int(bike)] = true } }
        return covered.count { $0 }
    }

    /// The most bikes that any choice of this many stations hears, by branch and bound; nil if that takes too many
    /// steps.
    ///
    /// - Parameter steps: how many stations may be tried, each in every choice that it could complete.
    public func optimum(_ count: Int, steps: Int = 1_000_000) -> Int? {
        let order = (0..<candidates).sorted {
            let (one, two) = (bikes(of: $0).count, bikes(of: $1).count)
            return one == two ? $0 < $1 : one > two
        }
        var search = Search(problem: self, order: order, best: greedy(count).heard, steps: steps)
        search.descend(from: 0, count, [Bool](repeating: false, count: bikeCount), heard: 0)
        return search.steps > 0 ? search.best : nil
    }

    /// A search through all choices that could be better than the best so far.
    private struct Search {
        let problem: MaximumCoverage
        /// The candidates in the order in which they are tried.
        let order: [Int]
        /// What the best choice so far hears, in bikes.
        var best: Int
        /// How many stations may still be tried.
        var steps: Int

        /// Completes a choice by stations of the order.
        ///
        /// - Parameters:
        ///   - position: of the first station that may be added.
        ///   - left: how many stations may be added.
        ///   - covered: for each bike whether the choice hears it.
        ///   - heard: the number of these bikes.
        mutating func descend(from position: Int, _ left: Int, _ covered: [Bool], heard: Int) {
            best = max(best, heard)
            guard left > 0, steps > 0 else { return }
            let gains = order[position...].map { problem.newBikes(of: $0, covered) }
            for (offset, gain) in gains.enumerated() {
                steps -= 1
                // No choice among the remaining stations can add more than the greatest gains together.
                let mostAdded = gains[offset...].sorted(by: >).prefix(left).reduce(0, +)
                guard steps > 0, heard + mostAdded > best else { return }
                guard gain > 0 else { continue }
                var coveredWithIt = covered
                for bike in problem.bikes(of: order[position + offset]) { coveredWithIt[Int(bike)] = true }
                descend(from: position + offset + 1, left - 1, coveredWithIt, heard: heard + gain)
            }
        }
    }
}
