public import Beacons
public import Scanning
import Synchronization

/// What the watchdog has seen and done. Read at any time, without waiting.
public final class WatchdogStatus: Sendable {
    /// One radio's part.
    public struct Radio: Hashable, Sendable {
        public let adapter: String
        /// How long nothing had been heard when the watchdog looked last.
        public internal(set) var silence = Duration.zero
        /// Steps begun since the program started.
        public internal(set) var taken: [RecoveryStep: Int] = [:]
        /// Those of them that failed or did not end.
        public internal(set) var failed: [RecoveryStep: Int] = [:]
        public internal(set) var lastStep: RecoveryStep?
        public internal(set) var lastStepTime: ScanInstant?
        /// Why the last step that failed did so.
        public internal(set) var lastError: String?
        /// How often something was heard again after steps.
        public internal(set) var revivals = 0
    }

    private let state: Mutex<[Radio]>

    init(adapters: [String]) {
        state = Mutex(adapters.map { Radio(adapter: $0) })
    }

    /// One for each radio, in the order in which they joined.
    public var radios: [Radio] { state.withLock(\.self) }

    /// - Parameter adapters: of all radios; those known before come first.
    func admit(_ adapters: [String]) {
        state.withLock { radios in
            radios += adapters.dropFirst(radios.count).map { Radio(adapter: $0) }
        }
    }

    func update(_ index: Int, _ body: (inout Radio) -> Void) {
        state.withLock { body(&$0[index]) }
    }
}
