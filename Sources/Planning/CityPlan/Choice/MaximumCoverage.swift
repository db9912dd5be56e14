import Simulation

/// The choice of stations that together hear the most bikes: the problem of maximum coverage.
///
/// What a set of stations hears is a monotone submodular function of the set, so a greedy choice hears at least
/// 1 − 1/e = 63 % of what the best choice does (Nemhauser, Wolsey, Fisher 1978). Lazy evaluation (Minoux 1978) makes it
/// fast: a gain can only shrink, so one that is out of date is an upper bound.
public struct MaximumCoverage: Sendable {
    /// The number of stations.
    public let candidates: Int
    /// For each candidate the bikes that it hears.
    private let firstBike: [Int32]
    private let bikes: [Int32]
    /// For each bike the candidates that hear it.
    private let ends: [Int32]
    private let stations: [Int32]

    /// - Parameters:
    ///   - ends: for each bike the end of its part of `stations`, ascending.
    ///   - stations: indices below `candidates`, without repetition for a bike.
    init(candidates: Int, ends: [Int32], stations: [Int32]) {
        (self.candidates, self.ends, self.stations) = (candidates, ends, stations)
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

    /// The problem of some bikes, each with the candidates that hear it.
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
        public let stations: [Int]
        /// What each of them adds, in bikes; never more than the one before.
        public let gains: [Int]
        /// An upper bound of what any choice of this many stations hears, in bikes.
        public let bound: Int

        public var heard: Int { gains.reduce(0, +) }
        /// The proved share of the optimum, at least 1 − 1/e.
        public var guarantee: Double {
            max(1 - 0.367_879_441_171_442_33, bound > 0 ? Double(heard) / Double(bound) : 1)
        }
    }

    private struct Gain: Comparable, Sendable {
        let bikes: Int32
        let station: Int32
        /// The number of stations that were chosen when it was computed.
        let round: Int32

        /// The greatest comes first in a heap; of equal ones, the first station.
        static func < (left: Gain, right: Gain) -> Bool {
            left.bikes == right.bikes ? left.station < right.station : left.bikes > right.bikes
        }
    }

    private func bikes(of station: Int) -> ArraySlice<Int32> {
        bikes[Int(firstBike[station])..<Int(firstBike[station + 1])]
    }

    /// The greedy choice; fewer than `count` stations if no other adds a bike.
    public func greedy(_ count: Int) -> Choice {
        var covered = [Bool](repeating: false, count: ends.count)
        var queue = MinHeap<Gain>()
        for station in 0..<candidates {
            let gain = firstBike[station + 1] - firstBike[station]
            if gain > 0 { queue.insert(Gain(bikes: gain, station: Int32(station), round: 0)) }
        }
        var chosen: [Int] = []
        var gains: [Int] = []
        var bound = bound(count, covered, heard: 0)
        while chosen.count < count, let top = queue.removeFirst() {
            guard top.round == Int32(chosen.count) else {
                let gain = bikes(of: Int(top.station)).reduce(into: Int32(0)) { $0 += covered[Int($1)] ? 0 : 1 }
                if gain > 0 {
                    queue.insert(Gain(bikes: gain, station: top.station, round: Int32(chosen.count)))
                }
                continue
            }
            for bike in bikes(of: Int(top.station)) { covered[Int(bike)] = true }
            chosen.append(Int(top.station))
            gains.append(Int(top.bikes))
            // A bound after a quarter, a half, three quarters and all of the choice: each costs a pass over everything.
            if chosen.count % max(1, count / 4) == 0 || chosen.count == count {
                bound = min(bound, self.bound(count, covered, heard: gains.reduce(0, +)))
            }
        }
        return Choice(stations: chosen, gains: gains, bound: min(bound, ends.count))
    }

    /// An upper bound from what is chosen already: the best `count` stations could add no more than their gains
    /// together (Leskovec and others, “Cost-effective outbreak detection in networks”, 2007).
    private func bound(_ count: Int, _ covered: [Bool], heard: Int) -> Int {
        let gains = (0..<candidates).map { station in
            bikes(of: station).reduce(into: 0) { $0 += covered[Int($1)] ? 0 : 1 }
        }
        return heard + gains.sorted(by: >).prefix(count).reduce(0, +)
    }

    /// How many bikes some stations hear together.
    public func heard(by chosen: some Sequence<Int>) -> Int {
        var covered = [Bool](repeating: false, count: ends.count)
        for station in chosen { for bike in bikes(of: station) { covered[Int(bike)] = true } }
        return covered.count { $0 }
    }

    /// The most bikes that any choice of this many stations hears, by branch and bound; nil if that takes too many
    /// steps.
    public func optimum(_ count: Int, steps: Int = 1_000_000) -> Int? {
        let order = (0..<candidates).sorted {
            let (one, two) = (bikes(of: $0).count, bikes(of: $1).count)
            return one == two ? $0 < $1 : one > two
        }
        var search = Search(problem: self, order: order, best: greedy(count).heard, steps: steps)
        search.descend(from: 0, count, [Bool](repeating: false, count: ends.count), heard: 0)
        return search.steps > 0 ? search.best : nil
    }

    private struct Search {
        let problem: MaximumCoverage
        let order: [Int]
        var best: Int
        var steps: Int

        mutating func descend(from position: Int, _ left: Int, _ covered: [Bool], heard: Int) {
            best = max(best, heard)
            guard left > 0, steps > 0 else { return }
            let gains = order[position...].map { station in
                problem.bikes(of: station).reduce(into: 0) { $0 += covered[Int($1)] ? 0 : 1 }
            }
            for (offset, gain) in gains.enumerated() {
                steps -= 1
                let rest = gains[offset...].sorted(by: >).prefix(left).reduce(0, +)
                guard steps > 0, heard + rest > best else { return }
                guard gain > 0 else { continue }
                var more = covered
                for bike in problem.bikes(of: order[position + offset]) { more[Int(bike)] = true }
                descend(from: position + offset + 1, left - 1, more, heard: heard + gain)
            }
        }
    }
}
