import Beacons
public import RegistryAPI

/// Merging is commutative, associative and idempotent, so reports of one visit may arrive repeatedly, late and in any
/// order and always give the same result.
extension Visit {
    /// Whether the times come from a clock that was not synchronised.
    public var isTimeUncertain: Bool { timeUncertain == true }

    /// Merges another report of this visit, both with dates (``SightingRules/dated(_:received:)``): the earliest
    /// beginning, the latest end (at most ``SightingRules/longest`` after it), the highest count and the widest range.
    /// Times of a synchronised clock replace those of another.
    public func merged(with other: Visit) -> Visit {
        var result = self
        if isTimeUncertain == other.isTimeUncertain {
            result.firstSeen = min(firstSeen, other.firstSeen)
            result.lastSeen = max(lastSeen, other.lastSeen)
        } else if isTimeUncertain {
            result.firstSeen = other.firstSeen
            result.lastSeen = other.lastSeen
        }
        result.timeUncertain = isTimeUncertain && other.isTimeUncertain ? true : nil
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

    /// The visit, limited to the longest visit of an honest station.
    private var bounded: Visit {
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
        func rank(_ place: Place) -> (Double, Double, Double) {
            (place.accuracy ?? .infinity, place.latitude, place.longitude)
        }
        return rank(one) <= rank(other) ? one : other
    }
}
