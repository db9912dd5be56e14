public import Beacons
public import RegistryAPI
import Synchronization

/// Where the station is: as it was enrolled, as its settings say, or as a receiver reports.
public final class StationLocation: Sendable {
    /// What becomes of a visit while a station that moves does not know where it is.
    public enum WithoutFix: String, CaseIterable, Sendable {
        /// It is kept, and reported with the first place that is known afterwards.
        case wait
        /// It is reported with the enrolled place.
        case enrolled
        /// It is not recorded.
        case refuse
    }

    public enum Source: Hashable, Sendable {
        /// Visits say nothing, so that the place counts that was enrolled.
        case enrolled
        case fixed(Place)
        /// - Parameter maximumAge: how long a fix counts.
        case receiver(WithoutFix, maximumAge: Duration)
    }

    /// A place and when it was known.
    public struct Fix: Hashable, Sendable {
        public let place: Place
        /// By the boot clock.
        public let time: ScanInstant
    }

    public let source: Source
    private let state = Mutex((fix: Fix?.none, refused: 0))

    public init(_ source: Source) {
        self.source = source
    }

    /// The receiver's last fix, however old.
    public var lastFix: Fix? { state.withLock(\.fix) }
    /// Visits that were not recorded for want of a place.
    public var refused: Int { state.withLock(\.refused) }

    /// Takes the receiver's place.
    public func update(_ place: Place, at time: ScanInstant) {
        state.withLock { $0.fix = Fix(place: place, time: time) }
    }

    /// The place to write into a visit; nil where there is none to write.
    public func place(at now: ScanInstant) -> Place? {
        switch source {
        case .enrolled: return nil
        case .fixed(let place): return place
        case .receiver(_, let maximumAge):
            guard let fix = lastFix, fix.time.duration(to: now) <= maximumAge else { return nil }
            return fix.place
        }
    }

    /// What becomes of visits without a place.
    var withoutPlace: WithoutFix {
        if case .receiver(let without, _) = source { without } else { .enrolled }
    }

    func countRefusal() { state.withLock { $0.refused += 1 } }
}
