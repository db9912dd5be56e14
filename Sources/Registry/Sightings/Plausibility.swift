public import RegistryAPI

/// Judges the sightings of one missing report by each other: a pure function of the set, so that the order in which they
/// came cannot matter. It gives reasons and never deletes.
public enum Plausibility {
    /// Metres within which a beacon is heard in the open.
    static let radioRange = 200.0
    /// Metres, where a place comes without an accuracy.
    static let assumedAccuracy = 100.0
    /// Seconds by which the clocks of two stations may differ.
    static let clockTolerance = 60.0
    /// Metres a second: 250 km/h, faster than a bike gets from one station to another on any road.
    static let fastestPassage = 250 / 3.6
    /// Metres a second: 120 km/h, faster than traffic goes over several stations in turn.
    static let fastestRound = 120 / 3.6
    /// Passages in a row that make a round.
    static let roundLength = 3
    /// Seconds between two sightings that can support each other.
    static let agreement = 2 * 3600.0
    /// How far apart in time two sightings may be and still bear on each other.
    public static let horizon = Duration.seconds(86_400)

    /// The reasons of each sighting, in the order given.
    public static func reasons(of sightings: [SightingEvidence]) -> [Set<SightingReason>] {
        let rounds = membersOfFastRounds(sightings)
        return sightings.indices.map { index in
            var reasons = ownReasons(of: sightings[index])
            if rounds.contains(index) { reasons.insert(.tooManyHops) }
            for other in sightings {
                reasons.formUnion(self.reasons(of: sightings[index], beside: other))
            }
            return reasons
        }
    }

    /// Doubt weighs more than support.
    public static func level(for reasons: some Collection<SightingReason>) -> SightingLevel {
        if reasons.contains(where: { $0.supports == false }) { return .disputed }
        return reasons.contains { $0.supports == true } ? .corroborated : .possible
    }

    /// What a sighting's own words and marks say.
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

    private static func reasons(
        of sighting: SightingEvidence, beside other: SightingEvidence
    ) -> Set<SightingReason> {
        guard sighting.station != other.station, other.bearsWitness, !sighting.timeUncertain,
            sighting.gap(to: other) <= horizon / .seconds(1)
        else { return [] }
        if isTooFast(sighting, other) { return [.tooFast] }
        return agree(sighting, other) ? [.otherVenue] : []
    }

    /// Whether no road leads from one to the other in the time between; both at once is too fast at any distance.
    private static func isTooFast(_ one: SightingEvidence, _ other: SightingEvidence) -> Bool {
        let separation = one.separation(from: other)
        guard separation > 0 else { return false }
        return separation > max(0, one.gap(to: other) + clockTolerance) * fastestPassage
    }

    private static func agree(_ one: SightingEvidence, _ other: SightingEvidence) -> Bool {
        let canSupport = one.bearsWitness && [one, other].allSatisfy { !$0.saysOtherPlace && $0.answer != .absent }
        return canSupport && one.venue != other.venue && one.gap(to: other) <= agreement
    }

    /// Sightings that lie on three passages in a row which together are faster than traffic.
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

    private static func isFastRound(_ round: [SightingEvidence]) -> Bool {
        let passages = zip(round, round.dropFirst()).map { $0.separation(from: $1) }
        let gaps = zip(round, round.dropFirst()).map { max(0, $0.gap(to: $1)) }
        guard !passages.contains(0), gaps.allSatisfy({ $0 <= horizon / .seconds(1) }),
            let first = round.first, let last = round.last
        else { return false }
        let seconds = Double(first.lastSeen.duration(to: last.firstSeen) / .milliseconds(1)) / 1000 + clockTolerance
        return passages.reduce(0, +) > max(0, seconds) * fastestRound
    }

    /// Metres that a place may be off, a radio's range included.
    static func uncertainty(of place: Place) -> Double {
        radioRange + 2 * (place.accuracy ?? assumedAccuracy)
    }
}

extension SightingEvidence: Comparable {
    /// In time; stations and identifiers decide between equals, so that the order of storing cannot.
    public static func < (left: Self, right: Self) -> Bool {
        if left.firstSeen != right.firstSeen { return left.firstSeen < right.firstSeen }
        if left.lastSeen != right.lastSeen { return left.lastSeen < right.lastSeen }
        return (left.station, left.visit) < (right.station, right.visit)
    }
}
