import Glibc

/// The results of a city's closed searches, which weight the simulated worlds.
public struct Experience: Hashable, Sendable {
    /// What became of one search.
    public struct Search: Hashable, Sendable {
        /// The hours from the report until a station heard the bike first; nil if none did while the search lasted.
        public let heardAfter: Double?
        /// The hours from the report to the end of the search.
        public let lasted: Double

        /// - Parameter lasted: nil for a search of 30 days or more.
        public init(heardAfter: Double?, lasted: Double? = nil) {
            self.heardAfter = heardAfter
            self.lasted = lasted ?? Horizon.month.seconds / 3600
        }

        /// The span of time in which the bike was heard first, as an index of the horizons; nil if that took more than
        /// 30 days.
        var span: Int? {
            heardAfter.flatMap { hours in Horizon.allCases.firstIndex { hours * 3600 <= $0.seconds } }
        }
    }

    /// A search, and how many are equal to it, itself included.
    struct Tally: Hashable, Sendable {
        let search: Search
        var count: Int
    }

    public let searches: [Search]
    /// The same searches without repetition, in the order in which they came first.
    let tallies: [Tally]
    /// The maximum number of searches that a file may have.
    static let maximum = 100_000

    public init(_ searches: [Search]) {
        self.searches = searches
        var tallies: [Tally] = []
        var places: [Search: Int] = [:]
        for search in searches {
            if let place = places[search] {
                tallies[place].count += 1
            } else {
                places[search] = tallies.count
                tallies.append(Tally(search: search, count: 1))
            }
        }
        self.tallies = tallies
    }

    /// The logarithm of the likelihood of a world, except for a constant.
    ///
    /// A bike that was heard counts with the chance to be heard first in that span of time (within an hour, a day, a
    /// week, a month). One that was not counts with the chance not to be heard as long as the search lasted, however
    /// short: it is unknown what would have come later (independent censoring). Between the horizons the chance
    /// grows with the logarithm of time.
    ///
    /// - Parameters:
    ///   - heard: how many bikes the world’s stations heard within each horizon.
    ///   - bikes: how many were stolen.
    func logLikelihood(heard: [Int], of bikes: Int) -> Double {
        let chances = Self.chances(heard: heard, of: bikes)
        return tallies.reduce(0) { $0 + Double($1.count) * log(Self.chance(of: $1.search, chances)) }
    }

    /// The chances to be heard within each horizon. A world of so many bikes knows its own chances only roughly:
    /// Jeffreys’s prior for a multinomial distribution.
    static func chances(heard: [Int], of bikes: Int) -> [Double] {
        let total = Double(bikes) + 0.5 * Double(heard.count + 1)
        var before = 0
        var sum = 0.0
        return heard.map { count in
            sum += (Double(count - before) + 0.5) / total
            before = count
            return sum
        }
    }

    /// The chance of what became of a search.
    ///
    /// - Parameter chances: of being heard within each horizon.
    private static func chance(of search: Search, _ chances: [Double]) -> Double {
        guard let span = search.span else { return 1 - chance(within: search.lasted * 3600, chances) }
        return chances[span] - (span > 0 ? chances[span - 1] : 0)
    }

    /// The chance of being heard within some time: between two horizons by the logarithm of time, before the first
    /// horizon in proportion to time, and after the last as until it.
    ///
    /// - Parameter chances: of being heard within each horizon.
    static func chance(within seconds: Double, _ chances: [Double]) -> Double {
        guard let span = Horizon.allCases.firstIndex(where: { seconds < $0.seconds }) else { return chances.last ?? 0 }
        let end = Horizon.allCases[span].seconds
        guard span > 0 else { return chances[0] * max(0, seconds) / end }
        let start = Horizon.allCases[span - 1].seconds
        let increase = chances[span] - chances[span - 1]
        return chances[span - 1] + increase * log(seconds / start) / log(end / start)
    }
}
