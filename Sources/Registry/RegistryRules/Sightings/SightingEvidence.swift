public import RegistryAPI

/// The data of one sighting that plausibility depends on.
public struct SightingEvidence: Hashable, Sendable {
    public var visit: VisitID
    public var station: StationID
    /// The name of the station's venue: two sightings at one venue do not support each other.
    public var venue: String
    /// The place of the station, from its enrolment and moves; for a mobile station, the place it reports itself.
    public var place: Place
    /// The place that a fixed station reports itself; nil if it reports none.
    public var claimedPlace: Place?
    public var firstSeen: Timestamp
    public var lastSeen: Timestamp
    public var timeUncertain: Bool
    /// Whether staff saw the bike; nil if they did not answer.
    public var answer: VisitConfirmation.Answer?
    public var marks: Marks
    /// The slot of a rotating beacon that was heard; nil for another beacon.
    public var slot: HeardSlot?

    /// Marks that people and counters give to a sighting or its station.
    public struct Marks: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The operator does not trust the station's sightings of that time.
        public static let quarantined = Marks(rawValue: 1)
        /// The owner knows that the sighting is wrong.
        public static let dismissed = Marks(rawValue: 2)
        /// The station reported a large part of the missing list at that time.
        public static let reportsEverything = Marks(rawValue: 4)
        /// The source of the sighting is unknown.
        public static let unverified = Marks(rawValue: 8)
    }

    /// The evidence of a visit.
    ///
    /// - Parameters:
    ///   - stood: the place of the station when the beacon was last heard, from its enrolment and moves.
    ///   - isMobile: whether the place that the station reports itself counts instead.
    public init(
        _ visit: Visit, at station: StationID, venue: String, standing stood: Place, isMobile: Bool = false,
        marks: Marks = [], slot: HeardSlot? = nil
    ) {
        self.init(
            visit: visit.id, firstSeen: visit.firstSeen, lastSeen: visit.lastSeen, timeUncertain: visit.isTimeUncertain,
            answer: visit.confirmation?.answer, saying: visit.place, at: station, venue: venue, standing: stood,
            isMobile: isMobile, marks: marks, slot: slot)
    }

    /// The evidence of a stored sighting.
    ///
    /// - Parameters:
    ///   - said: the place that the station reports itself; nil if it reports none.
    ///   - stood: the place of the station when the beacon was last heard, from its enrolment and moves.
    ///   - isMobile: whether `said` counts instead of `stood`.
    public init(
        visit: VisitID, firstSeen: Timestamp, lastSeen: Timestamp, timeUncertain: Bool,
        answer: VisitConfirmation.Answer?, saying said: Place?, at station: StationID, venue: String,
        standing stood: Place, isMobile: Bool, marks: Marks, slot: HeardSlot? = nil
    ) {
        self.visit = visit
        self.station = station
        self.venue = venue
        place = isMobile ? (said ?? stood) : stood
        claimedPlace = isMobile ? nil : said
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.timeUncertain = timeUncertain
        self.answer = answer
        self.marks = marks
        self.slot = slot
    }

    /// Whether others can be judged by it: withdrawn sightings and those of unknown origin
    /// neither support nor refute others.
    var bearsWitness: Bool { marks.isEmpty && !timeUncertain }

    /// Whether its own data cast no doubt on it.
    var isUndisputed: Bool { bearsWitness && !saysOtherPlace && answer != .absent }

    /// Whether a fixed station reports a place that is not its own.
    var saysOtherPlace: Bool {
        guard let claimedPlace else { return false }
        let slack = Plausibility.uncertainty(of: place) + Plausibility.uncertainty(of: claimedPlace)
        return place.distance(to: claimedPlace) > slack
    }

    /// The time between two visits in seconds; negative if they overlap.
    func gap(to other: SightingEvidence) -> Double {
        let isEarlier = (firstSeen, lastSeen) <= (other.firstSeen, other.lastSeen)
        let (end, begin) = isEarlier ? (lastSeen, other.firstSeen) : (other.lastSeen, firstSeen)
        return Double(begin.milliseconds - end.milliseconds) / 1000
    }

    /// The minimum distance between two sightings in metres; zero if one radio range may cover both.
    func separation(from other: SightingEvidence) -> Double {
        let slack = Plausibility.uncertainty(of: place) + Plausibility.uncertainty(of: other.place)
        return max(0, place.distance(to: other.place) - slack)
    }
}

extension SightingEvidence: Comparable {
    /// Compares by time, then by station and identifier, so that the order of storage does not matter.
    public static func < (left: Self, right: Self) -> Bool {
        if left.firstSeen != right.firstSeen { return left.firstSeen < right.firstSeen }
        if left.lastSeen != right.lastSeen { return left.lastSeen < right.lastSeen }
        return (left.station, left.visit) < (right.station, right.visit)
    }
}
