public import Beacons
import RegistryClient
import Scanning
import Synchronization

/// How requests for the missing list fare. Read at any time, without waiting.
public final class ListStatus: Sendable {
    public struct State: Hashable, Sendable {
        /// Since when the registry has answered nothing usable, by the boot clock; nil while all is well.
        public internal(set) var failingSince: ScanInstant?
        /// The last failure, even if all is well again.
        public internal(set) var lastError: String?
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
