import Glibc

/// What a plan is made for.
public struct PlanRequest: Sendable {
    /// The city’s name, for people.
    public var name: String
    /// Places where a station could be; at most ``maximumSites``.
    public var candidates: [Site]
    /// Stations that exist already; at most ``maximumSites``.
    public var existing: [Site] = []
    /// The number of buses or delivery bikes that carry a station, 0 to 1,000.
    public var vehicles = 0
    /// The number of new stations, 0 to 1,000.
    public var budget: Int
    /// The beacon’s advertising interval, 20 ms to 10.24 s, and its signal strength at 1 m in dBm.
    public var interval = Duration.seconds(1)
    public var measuredPower: Int8 = -59
    public var models: PlanModels
    /// What the stations are chosen for: to hear bikes within this time.
    public var goal = Horizon.week
    /// The number of cities that are simulated, each with other values of the assumptions, 19 to 9,999: 199 give exact
    /// intervals of 90 %.
    public var worlds = 199
    /// The number of bikes in each, 10 to 1,000,000: as many as are stolen in the time for which the intervals hold.
    public var bikes = 1000
    /// The number of bikes from which the places are chosen.
    public var choiceBikes = 40_000
    /// The passes that are played for each entry of the table of chances.
    public var passes = 4000
    public var seed: UInt64 = 1
    /// What became of searches in this city, if it has stations.
    public var experience: Experience?

    public static let maximumSites = 20_000

    public init(name: String, candidates: [Site], budget: Int, models: PlanModels) {
        (self.name, self.candidates, self.budget, self.models) = (name, candidates, budget, models)
    }
}

/// What became of the closed searches of a registry: after how many hours a bike was first heard; nil if never, within 30
/// days of the report.
public struct Experience: Hashable, Sendable {
    public let heardAfterHours: [Double?]

    /// Fewer searches say too little to show owners their odds.
    public static let minimumForOwners = 30

    public init(heardAfterHours: [Double?]) { self.heardAfterHours = heardAfterHours }

    public var searches: Int { heardAfterHours.count }

    func heard(within horizon: Horizon) -> Int {
        heardAfterHours.count { hours in hours.map { $0 * 3600 <= horizon.seconds } ?? false }
    }

    /// The odds as owners may see them; nil from fewer than ``minimumForOwners`` searches.
    public var words: String? {
        guard searches >= Self.minimumForOwners else { return nil }
        let percent = Int((100 * Double(heard(within: .day)) / Double(searches)).rounded())
        return "Of \(searches) searches here, \(percent) % were heard within a day."
    }

    /// The logarithm of the likelihood, except for a constant, if bikes are heard within the horizons with these chances.
    func logLikelihood(_ chances: [Double]) -> Double {
        var sum = 0.0
        var (before, counted) = (0.0, 0)
        for (horizon, chance) in zip(Horizon.allCases, chances) {
            let count = heard(within: horizon)
            sum += Double(count - counted) * Self.log(chance - before)
            (before, counted) = (chance, count)
        }
        return sum + Double(searches - counted) * Self.log(1 - before)
    }

    /// No world is certain of anything: a chance is at least 1 in 1,000.
    private static func log(_ chance: Double) -> Double { Glibc.log(max(0.001, chance)) }
}
