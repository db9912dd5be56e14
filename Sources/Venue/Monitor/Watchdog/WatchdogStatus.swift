public import Beacons
public import Scanning
import Synchronization

/// The watchdog's observations and actions. Can be read at any time, without waiting.
public final class WatchdogStatus: Sendable {
    /// The state of one radio.
    public struct Radio: Hashable, Sendable {
        public let adapter: String
        /// The silence when the watchdog last checked.
        public internal(set) var silence = Duration.zero
        /// Steps begun since the program started.
        public internal(set) var taken: [RecoveryStep: Int] = [:]
        /// The begun steps that failed or did not end.
        public internal(set) var failed: [RecoveryStep: Int] = [:]
        public internal(set) var lastStep: RecoveryStep?
        /// The boot-clock time at which it began.
        public internal(set) var lastStepTime: ScanInstant?
        /// The reason why the last failed step failed.
        public internal(set) var lastError: String?
        /// The number of times that something was heard again after steps.
        public internal(set) var revivals = 0
    }

    private let state: Mutex<[Radio]>

    init(adapters: [String]) {
        state = Mutex(adapters.map { Radio(adapter: $0) })
    }

    /// The radios, in the order in which they joined.
    public var radios: [Radio] { state.withLock(\.self) }

    /// Adds the radios that have joined.
    ///
    /// - Parameter adapters: the adapters of all radios; those already known come first.
    func admit(_ adapters: [String]) {
        state.withLock { radios in
            radios += adapters.dropFirst(radios.count).map { Radio(adapter: $0) }
        }
    }

    /// - Parameter index: the radio's number, in the order in which they joined.
    func update(_ index: Int, _ body: (inout Radio) -> Void) {
        state.withLock { body(&$0[index]) }
    }
}
