import Beacons
import RegistryAPI

/// Merges visits by the same bike that lie within a day; the absence in between is lost.
struct VisitMerging {
    /// The longest time that a merged visit may span.
    static let longest = Duration.days(1)

    /// What visits must have in common to be merged.
    private struct Group: Hashable {
        let identity: BeaconIdentity
        let boot: BootID?
        let isUncertain: Bool
        let isPlaceless: Bool
        let consent: Int
    }

    /// The latest visit of each group, into which the next may be merged.
    private var visits: [Group: StationVisit] = [:]
    private var changes: [VisitID: StationVisit] = [:]

    /// Visits that others were merged into.
    var changed: [StationVisit] { changes.values.sorted { $0.visit.id < $1.visit.id } }

    /// Adds the next visit in chronological order.
    ///
    /// - Parameter isReported: whether the registry knows the visit, so that it must not change.
    /// - Returns: whether the visit was merged into an earlier one.
    mutating func take(_ next: StationVisit, isReported: Bool, consent: Int) -> Bool {
        let group = Group(
            identity: next.visit.identity, boot: next.span?.boot, isUncertain: next.visit.timeUncertain == true,
            isPlaceless: next.isPlaceless, consent: consent)
        guard !isReported, var merged = visits[group], merged.absorb(next) else {
            visits[group] = next
            return false
        }
        visits[group] = merged
        changes[merged.visit.id] = merged
        return true
    }
}

extension StationVisit {
    /// Extends the visit to span both; returns false if that would be too long.
    fileprivate mutating func absorb(_ other: StationVisit) -> Bool {
        let first = min(visit.firstSeen, other.visit.firstSeen)
        let last = max(visit.lastSeen, other.visit.lastSeen)
        guard first.duration(to: last) <= VisitMerging.longest else { return false }
        visit.firstSeen = first
        visit.lastSeen = last
        if other.visit.count > visit.count { visit.measuredPower = other.visit.measuredPower }
        // The contract's limit.
        visit.count = min(visit.count + other.visit.count, 1 << 53)
        visit.receiver = VenueReceiver.strongest(
            (visit.receiver, visit.rssi), (other.visit.receiver, other.visit.rssi))
        if let ours = visit.rssi, let theirs = other.visit.rssi {
            visit.rssi = ours.merged(with: theirs)
        } else {
            visit.rssi = visit.rssi ?? other.visit.rssi
        }
        visit.proximity = [visit.proximity, other.visit.proximity].nearest
        visit.place = visit.place ?? other.visit.place
        if let span, let theirs = other.span {
            self.span = BootSpan(
                boot: span.boot, first: min(span.first, theirs.first), last: max(span.last, theirs.last))
        }
        return true
    }
}

extension [Proximity] {
    /// The nearest of the bands.
    fileprivate var nearest: Proximity {
        [.immediate, .near, .far].first { contains($0) } ?? .unknown
    }
}
