public import Beacons

#if canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// Everything that a scan has heard, by beacon identity and measured power: what `findmybike scan` shows.
///
/// Bounded: beacons that come after the capacity is reached are counted, not listed.
public struct BeaconSurvey: Sendable {
    public private(set) var entries: [BeaconFrame: SurveyEntry] = [:]
    /// Advertising reports, beacons or not.
    public private(set) var reports = 0
    /// Reports that could not be parsed.
    public private(set) var malformed = 0
    /// Frames of beacons that found no room.
    public private(set) var unlisted = 0

    private let capacity: Int

    public init(capacity: Int = 100_000) {
        self.capacity = capacity
    }

    public mutating func add(_ batch: AdvertisementBatch) {
        malformed += batch.malformed
        reports += batch.advertisements.count
        batch.forEach { advertisement, data in
            guard let frame = BeaconFrame(advertisingData: data) else { return }
            guard entries[frame] != nil || entries.count < capacity else {
                unlisted += 1
                return
            }
            entries[frame, default: SurveyEntry(first: advertisement.time)]
                .add(rssi: advertisement.rssi, measuredPower: frame.measuredPower, at: advertisement.time)
        }
    }
}

/// What was heard of one beacon.
public struct SurveyEntry: Sendable {
    public let first: ScanInstant
    public private(set) var last: ScanInstant
    public private(set) var frames = 0
    private var ranging = ProximityTracker()
    private var histogram = SignalHistogram()
    private var rate = FrameRate()

    init(first: ScanInstant) {
        self.first = first
        last = first
    }

    mutating func add(rssi: Int8?, measuredPower: Int8, at instant: ScanInstant) {
        frames += 1
        last = max(last, instant)
        ranging.add(rssi: rssi, measuredPower: measuredPower, at: instant)
        rate.add(at: instant)
        if let rssi { histogram.add(rssi) }
    }

    /// Smallest, middle and largest signal strength in dBm; nil where none was known.
    public var rssi: (min: Int, median: Double, max: Int)? { histogram.summary }
    /// Smoothed signal strength in dBm.
    public var smoothedRSSI: Double? { ranging.signal.value }
    public func proximity(at instant: ScanInstant) -> Proximity { ranging.proximity(at: instant) }
    /// Frames a second over the last seconds.
    public func framesPerSecond(at instant: ScanInstant) -> Double { rate.value(at: instant) }
}

/// Counts of each signal strength, from which the median is exact however many frames there were.
struct SignalHistogram: Sendable {
    private var counts: [Int8: Int] = [:]

    mutating func add(_ rssi: Int8) {
        counts[rssi, default: 0] += 1
    }

    var summary: (min: Int, median: Double, max: Int)? {
        let sorted = counts.sorted { $0.key < $1.key }
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let total = sorted.reduce(0) { $0 + $1.value }
        let median = (value(at: (total - 1) / 2, in: sorted) + value(at: total / 2, in: sorted)) / 2
        return (Int(first.key), median, Int(last.key))
    }

    private func value(at rank: Int, in sorted: [(key: Int8, value: Int)]) -> Double {
        var passed = 0
        for (rssi, count) in sorted {
            passed += count
            if rank < passed { return Double(rssi) }
        }
        return 0
    }
}

/// Frames a second as an exponentially forgetting count.
struct FrameRate: Sendable {
    /// Seconds after which a frame weighs a third.
    private static let memory = 5.0
    private var weight = 0.0
    private var newest: ScanInstant?

    mutating func add(at instant: ScanInstant) {
        weight = decayed(at: instant) + 1
        newest = max(newest ?? instant, instant)
    }

    func value(at instant: ScanInstant) -> Double {
        decayed(at: instant) / Self.memory
    }

    private func decayed(at instant: ScanInstant) -> Double {
        guard let newest else { return 0 }
        return weight * exp(-max(0, newest.duration(to: instant).seconds) / Self.memory)
    }
}
