public import Beacons
public import RegistryAPI

/// What was observed in a visit, apart from whose visit it is: the part that merges.
///
/// Merging is commutative, associative and idempotent, so that reports of one visit may come again, late and in any
/// order and always end in the same.
public struct VisitObservation: Hashable, Sendable {
    public var firstSeen: Timestamp
    public var lastSeen: Timestamp
    public var count: Int64
    /// nil where no radio told.
    public var rssi: SignalStrength?
    public var measuredPower: Int
    public var proximity: Proximity
    /// Where the station said that it was; nil, the enrolled place counts.
    public var place: Place?
    public var ended: Bool
    /// Whether the times come from a clock that was not synchronised.
    public var timeUncertain: Bool
    /// What a person at the venue said last.
    public var confirmation: VisitConfirmation?

    public init(
        firstSeen: Timestamp, lastSeen: Timestamp, count: Int64, rssi: SignalStrength?, measuredPower: Int,
        proximity: Proximity, place: Place?, ended: Bool, timeUncertain: Bool,
        confirmation: VisitConfirmation? = nil
    ) {
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.count = count
        self.rssi = rssi
        self.measuredPower = measuredPower
        self.proximity = proximity
        self.place = place
        self.ended = ended
        self.timeUncertain = timeUncertain
        self.confirmation = confirmation
    }

    public init(_ visit: Visit) {
        self.init(
            firstSeen: visit.firstSeen, lastSeen: visit.lastSeen, count: visit.count, rssi: visit.rssi,
            measuredPower: visit.measuredPower, proximity: visit.proximity, place: visit.place, ended: visit.ended,
            timeUncertain: visit.timeUncertain ?? false, confirmation: visit.confirmation
        )
    }

    /// The earliest first, the latest last, but at most ``SightingRules/longest`` after it, the highest count, the widest
    /// range; times of a synchronised clock replace those of another.
    public func merged(with other: VisitObservation) -> VisitObservation {
        var result = self
        if timeUncertain == other.timeUncertain {
            result.firstSeen = min(firstSeen, other.firstSeen)
            result.lastSeen = max(lastSeen, other.lastSeen)
        } else if timeUncertain {
            result.firstSeen = other.firstSeen
            result.lastSeen = other.lastSeen
        }
        result.timeUncertain = timeUncertain && other.timeUncertain
        result.count = max(count, other.count)
        result.rssi = SignalStrength.merged(rssi, other.rssi)
        result.measuredPower = Self.measuredPower(measuredPower, other.measuredPower)
        result.proximity = proximity.rank <= other.proximity.rank ? proximity : other.proximity
        result.place = Place.better(place, other.place)
        result.ended = ended || other.ended
        result.confirmation = VisitConfirmation.latest(confirmation, other.confirmation)
        return result.bounded
    }

    /// The strongest that a distance follows from, if there is one: a single false frame must not hide the true ones.
    private static func measuredPower(_ one: Int, _ other: Int) -> Int {
        (one < 0) == (other < 0) ? max(one, other) : min(one, other)
    }

    /// The same, not longer than any visit of an honest station.
    private var bounded: VisitObservation {
        var result = self
        result.lastSeen = min(lastSeen, firstSeen.advanced(by: SightingRules.longest))
        return result
    }
}

extension SignalStrength {
    /// The range over both, where there are both.
    fileprivate static func merged(_ one: SignalStrength?, _ other: SignalStrength?) -> SignalStrength? {
        guard let one, let other else { return one ?? other }
        return one.merged(with: other)
    }
}

extension VisitConfirmation {
    /// The later of two; of two at the same time, doubt.
    fileprivate static func latest(_ one: VisitConfirmation?, _ other: VisitConfirmation?) -> VisitConfirmation? {
        guard let one, let other else { return one ?? other }
        if one.time != other.time { return one.time > other.time ? one : other }
        return one.answer == .absent ? one : other
    }
}

extension Place {
    /// The more accurate of two places; the coordinates decide between equals, so that the order of arguments cannot.
    fileprivate static func better(_ one: Place?, _ other: Place?) -> Place? {
        guard let one, let other else { return one ?? other }
        let ranks = [one, other].map { ($0.accuracy ?? .infinity, $0.latitude, $0.longitude) }
        return ranks[0] <= ranks[1] ? one : other
    }
}
