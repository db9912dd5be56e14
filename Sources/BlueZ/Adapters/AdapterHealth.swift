public import Beacons
public import Scanning

/// How an adapter does: a snapshot for the status and the watchdog.
public struct AdapterHealth: Hashable, Sendable {
    /// The state of bluetoothd's advertisement monitor.
    public enum Monitor: Hashable, Sendable {
        /// Not wanted, or bluetoothd does not offer it (5.66 does so only with `Experimental = true`).
        case unused
        /// Registered, but not activated yet.
        case waiting
        case active
        /// Refused, released or never activated, with the reason; discovery alone does the work.
        case unavailable(String)
    }

    /// `hci0`
    public let name: String
    /// The adapter's own address as bluetoothd prints it; nil until it was seen.
    public var address: String?
    /// Whether bluetoothd shows the adapter.
    public var isPresent = false
    public var isPowered = false
    /// Whether somebody switched it off while it was listened to: it stays off until somebody switches it on.
    public var isSwitchedOff = false
    /// Whether discovery of ours runs.
    public var isDiscovering = false
    public var monitor = Monitor.unused
    /// Reports heard since the scanner was made.
    public var framesHeard: UInt64 = 0
    /// Reports that were dropped because nobody fetched them in time.
    public var dropped: UInt64 = 0
    /// When the last report of any kind was heard. The watchdog's only sign of life.
    public var lastFrame: ScanInstant?
    /// How often each step was tried.
    public var recoveries: [RecoveryStep: Int] = [:]
    /// The last thing that went wrong, in words; stays until discovery starts again.
    public var lastError: String?

    public init(name: String) {
        self.name = name
    }
}

/// Something that happened to an adapter.
public enum AdapterEvent: Hashable, Sendable {
    /// The bus was reached.
    case busConnected
    case busLost(reason: String)
    /// bluetoothd shows the adapter.
    case found
    /// The adapter was removed, or bluetoothd ended.
    case lost
    /// It was switched on by the scanner.
    case poweredOn
    /// Somebody switched it off.
    case poweredOff
    case discoveryStarted
    /// Discovery of ours ended without our doing; it is started again.
    case discoveryEnded
    case monitorActivated
    /// The monitor is not used, with the reason.
    case monitorUnavailable(String)
    case failed(String)
    case recovering(RecoveryStep)
}
