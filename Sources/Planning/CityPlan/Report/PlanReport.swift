/// The answers of a plan.
public struct PlanReport: Codable, Hashable, Sendable {
    /// What was simulated.
    public struct Basis: Codable, Hashable, Sendable {
        public let city: String
        /// Whether its streets are made up.
        public let isMadeUp: Bool
        public let seed: UInt64
        public let kilometresOfStreets: Double
        /// The streets that do not connect with the others, and are not used.
        public let kilometresLeftOut: Double
        public let crossings: Int
        public let candidates: Int
        public let existing: Int
        public let vehicles: Int
        /// The number of places of thefts from a file; 0 if thefts are spread by the length of the streets.
        public let theftPlaces: Int
        /// The number of new stations that was wanted; there are fewer places if no other adds anything.
        public let budget: Int
        public let goal: Horizon
        public let worlds: Int
        public let bikesPerWorld: Int
        public let beaconIntervalMilliseconds: Int
        public let beaconPower: Int
    }

    /// What this many new stations hear, with the existing ones.
    public struct Step: Codable, Hashable, Sendable {
        /// The number of new stations, in the order of the plan.
        public let stations: Int
        /// For each horizon.
        public let heard: [Heard]
    }

    /// A share of the stolen bikes, with its interval of 90 %.
    public struct Heard: Codable, Hashable, Sendable {
        public let within: Horizon
        /// The mean over all worlds, 0 to 1.
        public let share: Double
        /// The ends of the interval.
        public let low: Double
        public let high: Double
    }

    /// A place that the plan chooses for a station.
    public struct Place: Codable, Hashable, Sendable {
        /// 1 is the best first place.
        public let number: Int
        public let name: String
        public let kind: String
        public let latitude: Double
        public let longitude: Double
        /// What it adds to the share heard within the goal, after those before it.
        public let adds: Double
    }

    /// Another way to choose as many places: the share heard within the goal.
    public struct Comparison: Codable, Hashable, Sendable {
        /// `planned`, `mostTraffic`, or `random` (the mean of several).
        public let way: String
        public let stations: Int
        public let share: Double
    }

    /// What the planned stations would hear if all thieves were of one kind.
    public struct ModelResult: Codable, Hashable, Sendable {
        /// The name of the kind.
        public let model: String
        public let description: String
        /// The mean share of this kind over all worlds: the prior, or after experience.
        public let weight: Double
        /// All planned stations, within each horizon.
        public let planned: [Heard]
        /// As many random stations, within the goal.
        public let random: Double
        /// Without new stations, within the goal.
        public let existing: Double
    }

    /// A station that the city already has.
    public struct ExistingStation: Codable, Hashable, Sendable {
        public let name: String
        public let latitude: Double
        public let longitude: Double
        /// The share of bikes that only it hears within a month, of all existing ones.
        public let onlyHere: Double
    }

    /// How good the choice is, compared with the best possible.
    public struct Guarantee: Codable, Hashable, Sendable {
        /// The proved share of the optimum for the bikes of the choice, at least 0.63.
        public let proved: Double
        /// The share of the optimum, where that could be computed.
        public let exact: Double?
    }

    /// How long it takes until a bike is heard, with all stations, of the bikes that are heard at all.
    public struct Delay: Codable, Hashable, Sendable {
        /// The share of all bikes that is heard within 30 days.
        public let heard: Double
        public let quarterWithinHours: Double
        public let halfWithinHours: Double
        public let threeQuartersWithinHours: Double
    }

    /// A part of the city, with the bikes that are stolen there.
    public struct Area: Codable, Hashable, Sendable {
        public let latitude: Double
        public let longitude: Double
        /// The share of all thefts.
        public let stolen: Double
        /// The share of the bikes stolen here that the planned stations hear within the goal.
        public let heard: Double
    }

    /// How closed searches weighted the simulated worlds.
    public struct ExperienceResult: Codable, Hashable, Sendable {
        public let searches: Int
        /// How much each search counts, 0 to 1: less than 1 if fewer than 40 worlds, or half of them, would remain
        /// likely.
        public let evidence: Double
        /// How many equally likely worlds remain: if below 40 of many, the intervals are rough.
        public let effectiveWorlds: Double
        /// How many worlds could well have brought about what became of the searches.
        public let compatibleWorlds: Int
        public let spans: [SearchSpan]
    }

    /// The results of searches within a span of time, beside the weighted worlds' prediction for as many searches.
    public struct SearchSpan: Codable, Hashable, Sendable {
        /// The span’s end; it begins at the end of the one before.
        public let within: Horizon
        /// The searches that had not ended before.
        public let searches: Int
        /// Those whose bike was heard.
        public let heard: Int
        /// The share that is expected to be heard.
        public let expected: Double
        /// The probability of fewer than were heard, and half of that of equally many: near 0 or 1 if the worlds fit
        /// badly.
        public let fewer: Double
    }

    public let basis: Basis
    /// For each number of new stations from 0 to that of ``places``.
    public let curve: [Step]
    /// What the new stations add within the goal to those that exist.
    public let added: Heard
    /// The planned stations, the best first.
    public let places: [Place]
    public let comparisons: [Comparison]
    public let models: [ModelResult]
    public let existing: [ExistingStation]
    public let areas: [Area]
    public let delay: Delay
    public let guarantee: Guarantee
    /// Nil without closed searches.
    public let experience: ExperienceResult?
    public let assumptions: [ShownAssumption]
    /// The distance in metres up to which most passes are heard outdoors.
    public let reachMetres: Double
}
