import Beacons
import RegistryAPI

/// Merges visits by the same bike that lie within a day; the absence in between is lost.
struct VisitMerging {
    /// The maximum length of a merged visit.
    static let longest = Duration.days(1)

    /// Only visits of one group can be merged.
    private struct Group: Hashable {
        let identity: BeaconIdentity
        let boot: BootID?
        let isUncertain: Bool
        let isPlaceless: Bool
        let consent: Int
    }

    /// The latest visit of each group, with those that were merged into it.
    private var visits: [Group: StationVisit] = [:]
    /// The visits that others were merged into.
    private var changes: [VisitID: StationVisit] = [:]

    /// Visits that others were merged into, oldest first.
    var changed: [StationVisit] { changes.values.sorted { $0.visit.id < $1.visit.id } }

    /// Adds the next visit in chronological order.
    ///
    /// - Parameter isTold: whether the registry knows the visit, so that it must not change.
    /// - Returns: whether the visit was merged into an earlier one.
    mutating func take(_ next: StationVisit, isTold: Bool, consent: Int) -> Bool {
        let group = Group(
            identity: next.visit.identity, boot: next.span?.boot, isUncertain: next.visit.timeUncertain == true,
            isPlaceless: next.isPlaceless, consent: consent)
        guard !isTold, var merged = visits[group], merged.takeIn(next) else {
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
    fileprivate mutating func takeIn(_ other: StationVisit) -> Bool {
        let first = min(visit.firstSeen, other.visit.firstSeen)
        let last = max(visit.lastSeen, other.visit.lastSeen)
        guard first.duration(to: last) <= VisitMerging.longest else { return false }
        visit.firstSeen = first
        visit.lastSeen = last
        if other.visit.count > visit.count { visit.measuredPower = other.visit.measuredPower }
        visit.count = min(visit.count + other.visit.count, 1 << 53)
        visit.receiver = VenueReceiver.strongest(
            (visit.receiver, visit.rssi), (other.visit.receiver, other.visit.rssi))
        visit.rssi = visit.rssi.map { one in other.visit.rssi.map(one.merged) ?? one } ?? other.visit.rssi
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
    fileprivate var nearest: Proximity {
        [.immediate, .near, .far].first { contains($0) } ?? .unknown
    }
}
