/// What a plan is made for.
public struct PlanRequest: Sendable {
    /// The city’s name, for people.
    public var name: String
    /// Whether the streets are made up.
    public var isMadeUp = false
    /// Places where a station could be; at most ``maximumSites``.
    public var candidates: [Site]
    /// Stations that exist already; at most ``maximumSites``.
    public var existing: [Site] = []
    /// The number of buses or delivery bikes that carry a station, 0 to 1,000.
    public var vehicles = 0
    /// The number of new stations, 0 to 1,000.
    public var budget: Int
    /// The beacon’s advertising interval, 20 ms to 10.24 s.
    public var interval = Duration.seconds(1)
    /// The beacon’s signal strength at 1 m, in dBm.
    public var measuredPower: Int8 = -59
    public var models: PlanModels
    /// What the stations are chosen for: to hear bikes within this time.
    public var goal = Horizon.week
    /// The number of cities that are simulated, each with other values of the assumptions, 19 to 9,999: 199 give exact
    /// intervals of 90 %.
    public var worlds = 199
    /// The number of bikes in each, 10 to 1,000,000: as many as are stolen in the time for which the intervals hold.
    public var bikes = 1000
    /// The number of bikes from which the places are chosen: by default 100 for each candidate, 4,000 to 40,000.
    public var choiceBikes: Int
    /// The passes that are played for each entry of the table of chances, 10 to 100,000.
    public var passes = 4000
    /// Decides all that is random: the same seed and request give the same plan.
    public var seed: UInt64 = 1
    /// The results of searches in this city, if it has stations.
    public var experience: Experience?

    /// The maximum number of candidates, and that of existing stations.
    public static let maximumSites = 20_000
    /// The most bikes in all cities together.
    public static let maximumBikes = 1_000_000_000
    /// The most cities, multiplied by the number of new stations and one, for memory.
    public static let maximumCounts = 4_000_000
    /// The most cities, multiplied by the number of existing stations and one, for memory.
    public static let maximumStationCounts = 40_000_000

    public init(name: String, candidates: [Site], budget: Int, models: PlanModels) {
        (self.name, self.candidates, self.budget, self.models) = (name, candidates, budget, models)
        choiceBikes = max(4000, min(40_000, 100 * candidates.count))
    }
}
