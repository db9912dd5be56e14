import Beacons

/// An open visit, from which snapshots are made.
struct OpenVisit {
    let identity: BeaconIdentity
    private(set) var number: UInt64
    let stay: UInt64
    private(set) var first: ScanInstant
    private(set) var last: ScanInstant
    private(set) var frames: Int
    private var rssi: ClosedRange<Int8>?
    /// The radio of the strongest frame, the first of equals.
    private var radio: String?
    private var power = PowerClaim()
    private var proximity: ProximityTracker
    /// Whether a frame was heard since the last event.
    var hasNews = false
    /// Whether the beacon was heard for longer than a replay of many identities spends on each. Once true, it stays
    /// true.
    private(set) var isProven = false

    /// The number of frames that prove a visit, and the minimum time from the first to the last.
    private static let proof = (frames: 3, span: Duration.seconds(10))

    /// Starts a new stay.
    ///
    /// - Parameter run: the frames that open it, oldest first.
    init(number: UInt64, beacon: IBeacon, run: [Frame], at instant: ScanInstant, ranging: Ranging) {
        identity = beacon.identity
        self.number = number
        stay = number
        first = run.first?.time ?? instant
        last = instant
        frames = 0
        proximity = ProximityTracker(ranging: ranging)
        for frame in run { add(frame, measuredPower: beacon.measuredPower) }
    }

    /// Resumes a visit that an earlier run of the program had open. Its smoothing restarts.
    init(resuming visit: VisitSnapshot, last: ScanInstant, ranging: Ranging) {
        identity = visit.identity
        number = visit.number
        stay = visit.stay
        first = min(visit.first, last)
        self.last = last
        frames = visit.frames
        rssi = visit.rssi
        radio = visit.radio
        power.add(visit.measuredPower)
        proximity = ProximityTracker(ranging: ranging)
        proximity.restore(nearest: visit.nearest)
        prove()
    }

    /// Counts a frame, with the measured power that it claims.
    mutating func add(_ frame: Frame, measuredPower: Int8) {
        last = max(last, frame.time)
        frames += 1
        power.add(measuredPower)
        // Without a plausible power there is no distance, but the frame still counts.
        proximity.add(rssi: frame.rssi, measuredPower: power.value ?? 0, at: frame.time)
        let strongest: Int8 = rssi?.upperBound ?? .min
        if frames == 1 || (frame.rssi ?? .min) > strongest { radio = frame.radio }
        if let value = frame.rssi {
            rssi = min(rssi?.lowerBound ?? value, value)...max(rssi?.upperBound ?? value, value)
        }
        hasNews = true
        prove()
    }

    /// Notes whether the visit is proven by now.
    private mutating func prove() {
        if frames >= Self.proof.frames, first.duration(to: last) >= Self.proof.span { isProven = true }
    }

    /// Becomes the next visit of the same stay, without a frame yet; the signal's state is kept.
    mutating func `continue`(as number: UInt64, at instant: ScanInstant) {
        self.number = number
        first = instant
        last = instant
        frames = 0
        rssi = nil
        proximity.forgetNearest(at: instant)
    }

    /// The visit's state at a time.
    func snapshot(at instant: ScanInstant) -> VisitSnapshot {
        VisitSnapshot(
            number: number, stay: stay, identity: identity, first: first, last: last, frames: frames, rssi: rssi,
            smoothedRSSI: proximity.signal.value, measuredPower: power.value ?? 0, nearest: proximity.nearest,
            proximity: proximity.proximity(at: instant), radio: radio
        )
    }
}

/// One frame of a candidate, kept until the candidate becomes a visit or is dropped.
struct Frame {
    let time: ScanInstant
    let rssi: Int8?
    let radio: String?
}

/// The measured power that a visit uses if its frames disagree.
///
/// Anybody can send the same identity with another power. The majority vote of Boyer and Moore (“MJRTY”, 1981) finds
/// the value claimed by most frames, with only two numbers of state. Implausible claims do not count.
struct PowerClaim: Hashable, Sendable {
    /// The power in dBm at 1 m; nil before a plausible claim.
    private(set) var value: Int8?
    /// By how many claims the value is ahead of all others, at most.
    private var lead = 0

    mutating func add(_ claim: Int8) {
        guard IBeacon.plausiblePowers.contains(claim) else { return }
        if lead == 0 {
            value = claim
            lead = 1
        } else {
            lead += claim == value ? 1 : -1
        }
    }
}
