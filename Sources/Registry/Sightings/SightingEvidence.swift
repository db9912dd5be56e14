public import RegistryAPI

/// What plausibility looks at in one sighting.
public struct SightingEvidence: Hashable, Sendable {
    public var visit: VisitID
    public var station: StationID
    public var venue: String
    /// Where the station was, by its enrolment and its moves; of a mobile one, by its own word.
    public var place: Place
    /// Where a fixed station says that it was; nil where it says nothing.
    public var claimedPlace: Place?
    public var firstSeen: Timestamp
    public var lastSeen: Timestamp
    public var timeUncertain: Bool
    public var answer: VisitConfirmation.Answer?
    public var marks: Marks

    /// What people and counters say about a sighting or its station.
    public struct Marks: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The operator does not trust what the station told at that time.
        public static let quarantined = Marks(rawValue: 1)
        /// The owner knows that it is wrong.
        public static let dismissed = Marks(rawValue: 2)
        /// The station reported a large part of the missing list at that time.
        public static let reportsEverything = Marks(rawValue: 4)
        /// Nobody knows who told it.
        public static let unverified = Marks(rawValue: 8)
    }

    public init(
        visit: VisitID, station: StationID, venue: String, place: Place, claimedPlace: Place? = nil,
        firstSeen: Timestamp, lastSeen: Timestamp, timeUncertain: Bool = false,
        answer: VisitConfirmation.Answer? = nil, marks: Marks = []
    ) {
        self.visit = visit
        self.station = station
        self.venue = venue
        self.place = place
        self.claimedPlace = claimedPlace
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.timeUncertain = timeUncertain
        self.answer = answer
        self.marks = marks
    }

    /// Whether others can be judged by it: what is withdrawn or of unknown origin neither supports nor refutes them.
    var bearsWitness: Bool { marks.isEmpty && !timeUncertain }

    /// Whether a fixed station says a place that is not its own.
    var saysOtherPlace: Bool {
        guard let claimedPlace else { return false }
        let slack = Plausibility.uncertainty(of: place) + Plausibility.uncertainty(of: claimedPlace)
        return place.distance(to: claimedPlace) > slack
    }

    /// Seconds between two visits, shorter than nothing where they overlap.
    func gap(to other: SightingEvidence) -> Double {
        let isEarlier = (firstSeen, lastSeen) <= (other.firstSeen, other.lastSeen)
        let (earlier, later) = isEarlier ? (self, other) : (other, self)
        return Double(earlier.lastSeen.duration(to: later.firstSeen) / .milliseconds(1)) / 1000
    }

    /// Metres that surely lie between two sightings; zero where one radio range may cover both.
    func separation(from other: SightingEvidence) -> Double {
        let slack = Plausibility.uncertainty(of: place) + Plausibility.uncertainty(of: other.place)
        return max(0, place.distance(to: other.place) - slack)
    }
}
