import Beacons

/// One frame of a candidate, kept until the candidate becomes a visit or is forgotten.
struct Frame {
    let time: ScanInstant
    let rssi: Int8?
}

/// A visit that is going on: what its snapshots are made of.
struct OpenVisit {
    let identity: BeaconIdentity
    private(set) var number: UInt64
    let stay: UInt64
    private(set) var first: ScanInstant
    private(set) var last: ScanInstant
    private(set) var frames: Int
    private var rssi: ClosedRange<Int8>?
    private var measuredPower: Int8
    private var proximity: ProximityTracker
    /// Whether a frame was heard since the last event.
    var hasNews = false

    /// A new stay; `run` holds the frames that open it, oldest first.
    init(number: UInt64, beacon: IBeacon, run: [Frame], at instant: ScanInstant, ranging: Ranging) {
        identity = beacon.identity
        self.number = number
        stay = number
        first = run.first?.time ?? instant
        last = instant
        frames = 0
        measuredPower = beacon.measuredPower
        proximity = ProximityTracker(ranging: ranging)
        for frame in run { add(frame, measuredPower: beacon.measuredPower) }
    }

    /// A visit that an earlier run of the program had open. Its smoothing begins anew.
    init(resuming visit: VisitSnapshot, last: ScanInstant, ranging: Ranging) {
        identity = visit.identity
        number = visit.number
        stay = visit.stay
        first = min(visit.first, last)
        self.last = last
        frames = visit.frames
        rssi = visit.rssi
        measuredPower = visit.measuredPower
        proximity = ProximityTracker(ranging: ranging)
        proximity.restore(nearest: visit.nearest)
    }

    mutating func add(_ frame: Frame, measuredPower: Int8) {
        last = max(last, frame.time)
        frames += 1
        self.measuredPower = measuredPower
        proximity.add(rssi: frame.rssi, measuredPower: measuredPower, at: frame.time)
        if let value = frame.rssi {
            rssi = min(rssi?.lowerBound ?? value, value)...max(rssi?.upperBound ?? value, value)
        }
        hasNews = true
    }

    /// Becomes the next visit of the same stay, still without a frame; what is known of the signal stays.
    mutating func `continue`(as number: UInt64, at instant: ScanInstant) {
        self.number = number
        first = instant
        last = instant
        frames = 0
        rssi = nil
        proximity.forgetNearest(at: instant)
    }

    func snapshot(at instant: ScanInstant) -> VisitSnapshot {
        VisitSnapshot(
            number: number, stay: stay, identity: identity, first: first, last: last, frames: frames, rssi: rssi,
            smoothedRSSI: proximity.signal.value, measuredPower: measuredPower, nearest: proximity.nearest,
            proximity: proximity.proximity(at: instant)
        )
    }
}
