public import Beacons

/// A simulated place: a station at the origin, beacons that move past it, and the traffic of everybody else.
///
/// Made from a scenario file only (``init(path:)``, ``init(yaml:source:)``), so every value is within the bounds that its
/// member states. The commented files in `config/scenarios/` document the format.
public struct Scenario: Hashable, Sendable {
    /// 1–64 characters.
    public let name: String
    /// At most 2,000 characters.
    public let description: String
    /// The same seed gives the same run, bit for bit.
    public let seed: UInt64
    /// 1 s to 31 days.
    public let duration: Duration
    /// The beginning on the scanner's time line, which counts from the Unix epoch.
    public let start: ScanInstant
    public let environment: Environment
    /// At most 1,000, with distinct names.
    public let beacons: [Beacon]
    public let ambient: Ambient?
    /// At most 100, in order, none over another.
    public let network: [NetworkSpell]

    /// Where a run begins unless the file says otherwise: 2026-01-01T00:00:00Z. Fixed, so that a run repeats.
    public static let defaultStart = ScanInstant(nanoseconds: 1_767_225_600_000_000_000)

    /// The end on the scanner's time line.
    public var end: ScanInstant { start.advanced(by: duration) }
    public var timeSpan: ClosedRange<ScanInstant> { start...end }
}

extension Scenario {
    /// One beacon and what it does.
    public struct Beacon: Hashable, Sendable {
        /// 1–64 characters; also names the beacon's random stream.
        public let name: String
        public let identity: BeaconIdentity
        /// The power at 1 m that the beacon claims and has, −127…20 dBm.
        public let measuredPower: Int8
        /// 20 ms to 10.24 s.
        public let interval: Duration
        /// Largest random delay that is added to each interval, 0 to 1 s.
        public let jitter: Duration
        /// Ground truth: whether its bike is missing.
        public let isMissing: Bool
        /// How often the radio address changes, 1 s to 24 h; nil keeps one.
        public let addressRotation: Duration?
        public let trajectory: Trajectory

        /// What it transmits.
        public var frame: IBeacon { IBeacon(identity: identity, measuredPower: measuredPower) }
    }

    /// Traffic of devices that are no bikes: phones, headphones, tags, sensors.
    public struct Ambient: Hashable, Sendable {
        /// Received advertisements per second over all devices, 0.01 to 10,000; they arrive as a Poisson process.
        public let rate: Double
        /// Distinct devices, 1 to 1,000,000.
        public let devices: Int
        /// Share of the devices that are sensors with readings in an iBeacon's major and minor, 0 to 1.
        public let fakeIBeacons: Double
    }
}
