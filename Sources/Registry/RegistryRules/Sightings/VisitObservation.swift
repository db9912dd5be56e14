public import Beacons
public import RegistryAPI

/// The observed data of a visit, without its identity: the part that is merged.
///
/// Merging is commutative, associative and idempotent, so reports of one visit may arrive repeatedly, late and in any
/// order and always give the same result.
public struct VisitObservation: Hashable, Sendable {
    public var firstSeen: Timestamp
    public var lastSeen: Timestamp
    public var count: Int64
    /// The signal strength; nil if no radio measured it.
    public var rssi: SignalStrength?
    public var measuredPower: Int
    public var proximity: Proximity
    /// The place that the station reported; if nil, the enrolled place counts.
    public var place: Place?
    public var ended: Bool
    /// Whether the times come from a clock that was not synchronised.
    public var timeUncertain: Bool
    /// The latest answer of a person at the venue.
    public var confirmation: VisitConfirmation?
    /// The receiver of the strongest frame; nil if that was an adapter of the station.
    public var receiver: VenueReceiver?

    public init(
        firstSeen: Timestamp, lastSeen: Timestamp, count: Int64, rssi: SignalStrength?, measuredPower: Int,
        proximity: Proximity, place: Place?, ended: Bool, timeUncertain: Bool,
        confirmation: VisitConfirmation? = nil, receiver: VenueReceiver? = nil
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
        self.receiver = receiver
    }

    public init(_ visit: Visit) {
        self.init(
            firstSeen: visit.firstSeen, lastSeen: visit.lastSeen, count: visit.count, rssi: visit.rssi,
            measuredPower: visit.measuredPower, proximity: visit.proximity, place: visit.place, ended: visit.ended,
            timeUncertain: visit.timeUncertain ?? false, confirmation: visit.confirmation, receiver: visit.receiver
        )
    }

    /// Merges two observations: the earliest beginning, the latest end (at most ``SightingRules/longest`` after it),
    /// the highest count and the widest range. Times of a synchronised clock replace those of another.
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
        result.receiver = VenueReceiver.strongest((receiver, rssi), (other.receiver, other.rssi))
        result.rssi = SignalStrength.merged(rssi, other.rssi)
        result.measuredPower = Self.measuredPower(measuredPower, other.measuredPower)
        result.proximity = proximity.rank <= other.proximity.rank ? proximity : other.proximity
        result.place = Place.better(place, other.place)
        result.ended = ended || other.ended
        result.confirmation = VisitConfirmation.latest(confirmation, other.confirmation)
        return result.bounded
    }

    /// The strongest power from which a distance can be computed, if there is one:
    /// a single false frame must not hide the true ones.
    private static func measuredPower(_ one: Int, _ other: Int) -> Int {
        (one < 0) == (other < 0) ? max(one, other) : min(one, other)
    }

    /// The observation, limited to the longest visit of an honest station.
    private var bounded: VisitObservation {
        var result = self
        result.lastSeen = min(lastSeen, firstSeen.advanced(by: SightingRules.longest))
        return result
    }
}

extension SignalStrength {
    /// The range that covers both, or the one that exists.
    fileprivate static func merged(_ one: SignalStrength?, _ other: SignalStrength?) -> SignalStrength? {
        guard let one, let other else { return one ?? other }
        return one.merged(with: other)
    }
}

extension VisitConfirmation {
    /// The later of two answers; `absent` if both have the same time.
    fileprivate static func latest(_ one: VisitConfirmation?, _ other: VisitConfirmation?) -> VisitConfirmation? {
        guard let one, let other else { return one ?? other }
        if one.time != other.time { return one.time > other.time ? one : other }
        return one.answer == .absent ? one : other
    }
}

extension Place {
    /// The more accurate of two places; equal ones are ordered by coordinates, so that the order of arguments does not
    /// matter.
    fileprivate static func better(_ one: Place?, _ other: Place?) -> Place? {
        guard let one, let other else { return one ?? other }
        let ranks = [one, other].map { ($0.accuracy ?? .infinity, $0.latitude, $0.longitude) }
        return ranks[0] <= ranks[1] ? one : other
    }
}
