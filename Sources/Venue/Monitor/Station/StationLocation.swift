public import Beacons
public import RegistryAPI
import Synchronization

/// The station's place: as enrolled, from its settings, or from a receiver.
public final class StationLocation: Sendable {
    /// What happens to a visit while a mobile station does not know its place.
    public enum WithoutFix: String, CaseIterable, Sendable {
        /// The visit is kept, and reported with the first place known afterwards.
        case wait
        /// The visit is reported with the enrolled place.
        case enrolled
        /// The visit is not recorded.
        case refuse
    }

    /// Where the place of a visit comes from.
    public enum Source: Hashable, Sendable {
        /// Visits contain no place, so that the enrolled place applies.
        case enrolled
        case fixed(Place)
        /// - Parameter maximumAge: how long a fix is valid.
        case receiver(WithoutFix, maximumAge: Duration)
    }

    /// A place and the time of its fix.
    public struct Fix: Hashable, Sendable {
        public let place: Place
        /// The time by the boot clock.
        public let time: ScanInstant
    }

    public let source: Source
    /// The last fix, and the number of visits that were not recorded for want of one.
    private let state = Mutex((fix: Fix?.none, refused: 0))

    public init(_ source: Source) {
        self.source = source
    }

    /// The receiver's last fix, however old.
    public var lastFix: Fix? { state.withLock(\.fix) }
    /// Visits that were not recorded because there was no place.
    public var refused: Int { state.withLock(\.refused) }

    /// Updates the place from the receiver.
    public func update(_ place: Place, at time: ScanInstant) {
        state.withLock { $0.fix = Fix(place: place, time: time) }
    }

    /// The place to write into a visit; nil if there is none.
    public func place(at now: ScanInstant) -> Place? {
        switch source {
        case .enrolled: return nil
        case .fixed(let place): return place
        case .receiver(_, let maximumAge):
            guard let fix = lastFix, fix.time.duration(to: now) <= maximumAge else { return nil }
            return fix.place
        }
    }

    /// What happens to visits without a place.
    var withoutPlace: WithoutFix {
        if case .receiver(let without, _) = source { without } else { .enrolled }
    }

    /// Counts a visit that was not recorded.
    func countRefusal() { state.withLock { $0.refused += 1 } }
}
