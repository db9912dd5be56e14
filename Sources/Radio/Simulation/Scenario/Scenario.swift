public import Beacons
import Syntax

/// A simulated place: a station at the origin, beacons that move past it, and the traffic of other devices.
///
/// Created only from a scenario file (``init(path:)``, ``init(yaml:source:)``), so every value is within the bounds
/// stated at its property. The commented files in `config/scenarios/` document the format.
public struct Scenario: Hashable, Sendable {
    /// The name, 1–64 characters.
    public let name: String
    /// The description, at most 2,000 characters.
    public let description: String
    /// The seed; the same seed gives the same run, bit for bit.
    public let seed: UInt64
    /// The duration of the run, 1 s to 31 days.
    public let duration: Duration
    /// The beginning on the scanner's time line, which counts from the Unix epoch.
    public let start: ScanInstant
    public let environment: Environment
    /// The beacons, at most 1,000, with distinct names.
    public internal(set) var beacons: [Beacon]
    /// The traffic of other devices; nil for none.
    public let ambient: Ambient?
    /// The periods of network trouble, at most 100, in order and without overlap.
    public let network: [NetworkSpell]

    /// The default start of a run: 2026-01-01T00:00:00Z. Fixed, so that a run is reproducible.
    public static let defaultStart = ScanInstant(nanoseconds: 1_767_225_600_000_000_000)

    /// The end on the scanner's time line.
    public var end: ScanInstant { start.advanced(by: duration) }
    public var timeSpan: ClosedRange<ScanInstant> { start...end }
}

extension Scenario {
    /// One beacon, with its frame, timing and trajectory.
    public struct Beacon: Hashable, Sendable {
        /// The name, 1–64 characters; it also names the beacon's random stream.
        public internal(set) var name: String
        public internal(set) var identity: BeaconIdentity
        /// The power at 1 m, both claimed and actual, −127…20 dBm.
        public let measuredPower: Int8
        /// The advertising interval, 20 ms to 10.24 s.
        public let interval: Duration
        /// The maximum random delay added to each interval, 0 to 1 s.
        public let jitter: Duration
        /// Ground truth: whether its bike is missing.
        public let isMissing: Bool
        /// The interval at which the radio address changes, 1 s to 24 h; nil if it never does.
        public internal(set) var addressRotation: Duration?
        public internal(set) var trajectory: Trajectory
        /// How the identity changes; nil if it never does. For a rotating beacon, ``identity`` is the one that a
        /// perfect clock gives at the scenario's start.
        public var rotation: Rotation? = nil

        /// The frame that it transmits; at the scenario's start if it rotates.
        public var frame: IBeacon { IBeacon(identity: identity, measuredPower: measuredPower) }
    }

    /// Traffic of devices that are not bikes: phones, headphones, tags, sensors.
    public struct Ambient: Hashable, Sendable {
        /// Received advertisements per second over all devices, 0.01 to 10,000; they arrive as a Poisson process.
        public let rate: Double
        /// The number of distinct devices, 1 to 1,000,000.
        public let devices: Int
        /// The share of the devices that are sensors with readings in an iBeacon's major and minor, 0 to 1.
        public let fakeIBeacons: Double
    }
}

extension Scenario {
    /// The maximum size of a file: 1 MiB.
    public static let maximumFileSize = 1 << 20

    /// Reads a scenario file.
    ///
    /// - Throws: ``ScenarioError`` if the file cannot be read, is too large, is not UTF-8, or is not a valid scenario.
    public init(path: String) throws(ScenarioError) {
        let bytes = try OutsideFile.contents(of: path, limit: Self.maximumFileSize).withoutByteOrderMark
        guard !bytes.starts(with: Array("btsnoop".utf8)) else {
            throw ScenarioError(source: path, problem: "a capture, not a scenario: play it with --replay")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ScenarioError(
                source: path, problem: "not UTF-8: save the file in that encoding, or play a capture with --replay")
        }
        try self.init(yaml: text, source: path)
    }
}
