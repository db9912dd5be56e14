public import Beacons
import RegistryClient
import Scanning
import Synchronization

/// The state of requests for the missing list. Can be read at any time, without waiting.
public final class ListStatus: Sendable {
    /// The state at one time.
    public struct State: Hashable, Sendable {
        /// The boot-clock time since which there has been no usable response from the registry; nil if there is no
        /// problem.
        public internal(set) var failingSince: ScanInstant?
        /// The last failure, even if later requests succeeded.
        public internal(set) var lastError: String?
        /// The boot-clock time of the last failure.
        public internal(set) var lastErrorTime: ScanInstant?
    }

    private let guarded = Mutex(State())

    public init() {}

    public var state: State { guarded.withLock(\.self) }

    func succeeded() {
        guarded.withLock { $0.failingSince = nil }
    }

    func failed(_ error: any Error, at now: ScanInstant = BootClock.now()) {
        guarded.withLock { state in
            state.failingSince = state.failingSince ?? now
            state.lastError = (error as? RegistryError)?.stationWords ?? "\(error)"
            state.lastErrorTime = now
        }
    }
}
