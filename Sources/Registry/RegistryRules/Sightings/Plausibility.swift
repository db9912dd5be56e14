public import RegistryAPI

/// Judges the sightings of one missing report by comparing them: a pure function of the set, so the order in which
/// they arrived does not matter. It gives reasons and never deletes a sighting.
public enum Plausibility {
    /// The range within which a beacon is heard in the open, in metres.
    static let radioRange = 200.0
    /// The accuracy of a place without a stated accuracy, in metres.
    static let assumedAccuracy = 100.0
    /// The tolerated difference between the clocks of two stations, in seconds.
    static let clockTolerance = 60.0
    /// The speed limit between two stations, in metres per second: 250 km/h, faster than a bike travels on any road.
    static let fastestPassage = 250 / 3.6
    /// The speed limit for several stations in turn, in metres per second: 120 km/h, faster than traffic.
    static let fastestRound = 120 / 3.6
    /// The number of consecutive passages that make a round.
    static let roundLength = 3
    /// The longest time between two sightings that can support each other, in seconds.
    static let agreement = 2 * 3600.0
    /// The longest time between two sightings that can affect each other.
    public static let horizon = Duration.days(1)
    private static let horizonSeconds: Double = horizon / .seconds(1)

    /// The reasons of each sighting, in the order given.
    public static func reasons(of sightings: [SightingEvidence]) -> [Set<SightingReason>] {
        zip(stationReasons(of: sightings), slotReasons(of: sightings)).map { $0.union($1) }
    }

    /// The reasons of a sighting that is judged alone: those that follow from its own data and slot.
    public static func reasons(of sighting: SightingEvidence) -> Set<SightingReason> {
        let own = ownReasons(of: sighting)
        return sighting.slot == nil ? own : own.union(slotReasons(of: [sighting])[0])
    }

    /// The reasons of each sighting without those that follow from the slots of a rotating beacon: only sightings
    /// within ``horizon`` of each other matter.
    public static func stationReasons(of sightings: [SightingEvidence]) -> [Set<SightingReason>] {
        stationReasons(of: sightings.indices, in: sightings)
    }

    /// The same of one sighting.
    public static func stationReasons(of index: Int, in sightings: [SightingEvidence]) -> Set<SightingReason> {
        stationReasons(of: CollectionOfOne(index), in: sightings)[0]
    }

    /// The same of the sightings at some indices, in their order.
    ///
    /// - Parameter changed: the index of the sighting that alone is compared with the others; nil to compare each with all.
    public static func stationReasons(
        of indices: some Sequence<Int>, in sightings: [SightingEvidence], changed: Int? = nil
    ) -> [Set<SightingReason>] {
        let rounds = membersOfFastRounds(sightings)
        let all = witnesses(among: sightings)
        let changedOnly = changed.map { witnesses(among: [sightings[$0]]) } ?? all
        return indices.map { index in
            var reasons = ownReasons(of: sightings[index])
            if rounds.contains(index) { reasons.insert(.tooManyHops) }
            return reasons.union(self.reasons(of: sightings[index], beside: index == changed ? all : changedOnly))
        }
    }

    private static func witnesses(
        among sightings: [SightingEvidence]
    ) -> [(evidence: SightingEvidence, isUndisputed: Bool)] {
        sightings.filter(\.bearsWitness).map { ($0, $0.isUndisputed) }
    }

    /// The level for the reasons; doubt weighs more than support.
    public static func level(for reasons: some Collection<SightingReason>) -> SightingLevel {
        if reasons.contains(where: { $0.supports == false }) { return .disputed }
        return reasons.contains { $0.supports == true } ? .corroborated : .possible
    }

    /// The reasons that follow from a sighting's own data and marks.
    private static func ownReasons(of sighting: SightingEvidence) -> Set<SightingReason> {
        var reasons: Set<SightingReason> = []
        if sighting.answer == .seen { reasons.insert(.seenAtVenue) }
        if sighting.answer == .absent { reasons.insert(.notSeenAtVenue) }
        if sighting.saysOtherPlace { reasons.insert(.otherPlace) }
        if sighting.marks.contains(.quarantined) { reasons.insert(.quarantined) }
        if sighting.marks.contains(.reportsEverything) { reasons.insert(.reportsEverything) }
        if sighting.marks.contains(.unverified) { reasons.insert(.unverified) }
        return reasons
    }

    /// The reasons that follow from comparing a sighting with those of other stations that bear witness.
    private static func reasons(
        of sighting: SightingEvidence, beside witnesses: [(evidence: SightingEvidence, isUndisputed: Bool)]
    ) -> Set<SightingReason> {
        guard !sighting.timeUncertain else { return [] }
        let canBeSupported = sighting.isUndisputed
        var (isRefuted, isSupported) = (false, false)
        for (other, isUndisputed) in witnesses where other.station != sighting.station {
            let gap = sighting.gap(to: other)
            guard gap <= horizonSeconds else { continue }
            let agrees = canBeSupported && isUndisputed && gap <= agreement && sighting.venue != other.venue
            // Distances take most of the time, and one witness is enough for each reason.
            guard !isRefuted || (agrees && !isSupported) else { continue }
            if isTooFast(sighting, other, gap) {
                isRefuted = true
            } else if agrees {
                isSupported = true
            }
        }
        var reasons: Set<SightingReason> = isRefuted ? [.tooFast] : []
        if isSupported { reasons.insert(.otherVenue) }
        return reasons
    }

    /// Whether the gap (in seconds) is too short for any road from one to the other; being at two distant places at the
    /// same time is always too fast.
    private static func isTooFast(_ one: SightingEvidence, _ other: SightingEvidence, _ gap: Double) -> Bool {
        let separation = one.separation(from: other)
        guard separation > 0 else { return false }
        return separation > max(0, gap + clockTolerance) * fastestPassage
    }

    /// The indices of the sightings on three consecutive passages that together are faster than traffic.
    private static func membersOfFastRounds(_ sightings: [SightingEvidence]) -> Set<Int> {
        let path = sightings.indices.filter { sightings[$0].bearsWitness }.sorted { sightings[$0] < sightings[$1] }
        guard path.count > roundLength else { return [] }
        var members: Set<Int> = []
        for start in 0..<path.count - roundLength {
            let round = path[start...start + roundLength]
            if isFastRound(round.map { sightings[$0] }) { members.formUnion(round) }
        }
        return members
    }

    /// Whether each sighting is at another place than the one before, and the whole round is too fast.
    private static func isFastRound(_ round: [SightingEvidence]) -> Bool {
        let passages = zip(round, round.dropFirst()).map { $0.separation(from: $1) }
        let gaps = zip(round, round.dropFirst()).map { max(0, $0.gap(to: $1)) }
        guard !passages.contains(0), gaps.allSatisfy({ $0 <= horizonSeconds }),
            let first = round.first, let last = round.last
        else { return false }
        let seconds = Double(first.lastSeen.duration(to: last.firstSeen) / .milliseconds(1)) / 1000 + clockTolerance
        return passages.reduce(0, +) > max(0, seconds) * fastestRound
    }

    /// The possible error of a place in metres, including the range of the radio.
    static func uncertainty(of place: Place) -> Double {
        radioRange + 2 * (place.accuracy ?? assumedAccuracy)
    }
}

/// Judges whether a station reports more of the missing list within an hour than can be heard at any place.
public enum ReportingShare {
    /// The length of the window in milliseconds; windows begin at full hours of the visits' own time.
    public static let window: Int64 = 3_600_000
    /// Up to this number, no share is too large: a list can be short, and several stolen bikes can be in one cellar.
    public static let fewest = 10
    /// From this number on, any share is too large.
    public static let most = 200
    /// The share in percent that is too large in between.
    static let percent = 5

    /// The maximum number of missing bikes that have to be counted: on a longer list, ``most`` is reached first.
    public static let countedAtMost = most * 100 / percent

    /// Whether this many different bikes within an hour are too many for a list of this length.
    public static func isTooLarge(reports: Int, ofMissing missing: Int) -> Bool {
        reports >= most || (reports > fewest && reports * 100 > missing * percent)
    }
}
