public import Beacons
public import Scanning

/// A snapshot of an adapter's health, for the status and the watchdog.
public struct AdapterHealth: Hashable, Sendable {
    /// The state of bluetoothd's advertisement monitor.
    public enum Monitor: Hashable, Sendable {
        /// Not enabled, or not offered by bluetoothd (5.66 offers it only with `Experimental = true`).
        case unused
        /// Registered, but not activated yet.
        case waiting
        case active
        /// Refused, released or never activated, with the reason; discovery works alone.
        case unavailable(String)
    }

    /// The name, such as `hci0`.
    public let name: String
    /// The adapter's address as printed by bluetoothd; nil until the adapter was seen.
    public var address: String?
    /// Whether bluetoothd provides the adapter.
    public var isPresent = false
    public var isPowered = false
    /// Whether the adapter went off while in use. It then stays off for a while, since somebody may have switched it
    /// off.
    public var isSwitchedOff = false
    /// Whether this program's discovery is running.
    public var isDiscovering = false
    public var monitor = Monitor.unused
    /// Reports heard since the scanner was created.
    public var framesHeard: UInt64 = 0
    /// Reports that were dropped because they were not read in time.
    public var dropped: UInt64 = 0
    /// The time of the last report of any kind. The watchdog's only sign of life.
    public var lastFrame: ScanInstant?
    /// The number of times that each step was tried.
    public var recoveries: [RecoveryStep: Int] = [:]
    /// The last error, in words; kept until discovery starts again.
    public var lastError: String?

    public init(name: String) {
        self.name = name
    }
}

/// An event of an adapter.
public enum AdapterEvent: Hashable, Sendable {
    /// The bus was reached.
    case busConnected
    case busLost(reason: String)
    /// bluetoothd provides the adapter.
    case found
    /// The adapter was removed, or bluetoothd ended.
    case lost
    /// The scanner powered the adapter on.
    case poweredOn
    /// The adapter went off, by itself or because somebody switched it off.
    case poweredOff
    case discoveryStarted
    /// This program's discovery ended unexpectedly; it is restarted.
    case discoveryEnded
    case monitorActivated
    /// The monitor is not used, for this reason.
    case monitorUnavailable(String)
    case failed(String)
    case recovering(RecoveryStep)
}
