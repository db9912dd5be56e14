public import Beacons

/// A hot/cold search for one beacon: its proximity, and whether the person is getting closer.
///
/// The signal is smoothed less than in a visit, since the person moves: a step shows within two or three seconds.
public struct BeaconSearch: Sendable {
    /// Whether the signal has been growing or fading.
    public enum Trend: String, Hashable, Sendable {
        case steady, warmer, colder
    }

    /// The identities that the beacon may send; several for one that rotates.
    public let identities: Set<BeaconIdentity>
    /// The number of frames heard.
    public private(set) var frames = 0
    /// The time at which it was last heard; nil before the first frame.
    public private(set) var lastHeard: ScanInstant?
    private var tracker = ProximityTracker(ranging: .searching)
    private var trend = TrendTracker()

    /// A search for a beacon that always sends the same identity.
    public init(_ identity: BeaconIdentity) { self.init([identity]) }

    public init(_ identities: Set<BeaconIdentity>) { self.identities = identities }

    /// Processes the reports of a batch; those of other beacons are ignored.
    public mutating func add(_ batch: AdvertisementBatch) {
        batch.forEach { report, data in
            guard let beacon = IBeacon(advertisingData: data), identities.contains(beacon.identity) else { return }
            frames += 1
            lastHeard = max(report.time, lastHeard ?? report.time)
            tracker.add(rssi: report.rssi, measuredPower: beacon.measuredPower, at: report.time)
            // Two frames may both be a single reflection.
            if tracker.signal.isSettled, let value = tracker.signal.value { trend.add(value, at: report.time) }
        }
    }

    /// The state of the search at the given time.
    public func reading(at instant: ScanInstant) -> Reading {
        let age = lastHeard.map { max(.zero, $0.duration(to: instant)) }
        let isHeard = age.map { $0 <= tracker.ranging.silentAfter } ?? false
        return Reading(
            rssi: isHeard ? tracker.signal.value : nil,
            proximity: tracker.proximity(at: instant),
            metres: isHeard ? tracker.metres : nil,
            trend: isHeard ? trend.value(at: instant) : .steady,
            age: age
        )
    }

    /// The reading shown to the person.
    public struct Reading: Hashable, Sendable {
        /// Smoothed signal strength in dBm; nil while it is not heard.
        public let rssi: Double?
        public let proximity: Proximity
        /// Estimated distance in metres: a hint.
        public let metres: Double?
        public let trend: Trend
        /// Time since the last frame; nil before the first.
        public let age: Duration?

        /// Proximity from 0 (−100 dBm, hardly heard) to 1 (−35 dBm, within a hand’s width); 0 while it is not heard.
        public var nearness: Double {
            guard let rssi else { return 0 }
            let weakest = -100.0
            let strongest = -35.0
            return max(0, min((rssi - weakest) / (strongest - weakest), 1))
        }

        /// The time between two rings of a bell: 2 s at the limit of reception, 0.15 s at the beacon; nil while it is
        /// not heard.
        public var bellInterval: Duration? {
            guard rssi != nil else { return nil }
            let longest = 2000.0
            let shortest = 150.0
            return .milliseconds(Int(longest - (longest - shortest) * nearness))
        }
    }
}

/// Distinguishes a growing signal from a fading one, with hysteresis, so that noise alone does not reverse the trend.
struct TrendTracker: Sendable {
    /// The change in dB from the last turning point that counts as a trend.
    private static let step = 3.0
    /// The change in dB in the direction of the trend that moves the turning point along with it.
    private static let smallStep = 1.0
    /// The time without a step after which the trend is steady.
    private static let steadyAfter = Duration.seconds(6)

    private var trend = BeaconSearch.Trend.steady
    /// The extreme of the signal in the direction of the trend.
    private var anchor: Double?
    /// The time of the last step.
    private var lastStep = ScanInstant(nanoseconds: 0)

    /// Processes a smoothed signal strength in dBm.
    mutating func add(_ value: Double, at instant: ScanInstant) {
        guard let anchor else {
            self.anchor = value
            return
        }
        if value >= anchor + Self.step {
            turn(.warmer, value, instant)
        } else if value <= anchor - Self.step {
            turn(.colder, value, instant)
        } else if trend == .warmer, value > anchor + Self.smallStep {
            turn(trend, value, instant)
        } else if trend == .colder, value < anchor - Self.smallStep {
            turn(trend, value, instant)
        }
    }

    /// The trend at a time.
    func value(at instant: ScanInstant) -> BeaconSearch.Trend {
        lastStep.duration(to: instant) > Self.steadyAfter ? .steady : trend
    }

    private mutating func turn(_ trend: BeaconSearch.Trend, _ value: Double, _ instant: ScanInstant) {
        self.trend = trend
        anchor = value
        lastStep = instant
    }
}
