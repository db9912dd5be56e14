public import Beacons
private import Glibc

/// All beacons heard by a scan, by identity and measured power, as shown by `findmybike scan`.
///
/// Bounded: beacons that are first heard when the capacity is reached are counted, not listed.
public struct BeaconSurvey: Sendable {
    /// The listed beacons.
    public private(set) var entries: [BeaconFrame: SurveyEntry] = [:]
    /// Advertising reports, whether from beacons or not.
    public private(set) var reports = 0
    /// Reports that could not be parsed.
    public private(set) var malformed = 0
    /// Frames of beacons that were not listed for lack of capacity.
    public private(set) var unlisted = 0

    private let capacity: Int

    /// - Parameter capacity: the maximum number of beacons that are listed.
    public init(capacity: Int = 100_000) {
        self.capacity = capacity
    }

    /// Counts the reports of a batch, and lists the beacons among them.
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

extension BeaconSurvey {
    /// The matching beacons, strongest first.
    ///
    /// - Parameter instant: the current time, so that beacons silent for half a minute come last; nil to ignore
    ///   silence.
    public func strongest(
        _ filter: SurveyFilter = SurveyFilter(), at instant: ScanInstant? = nil
    ) -> [(frame: BeaconFrame, entry: SurveyEntry)] {
        // Below every signal, for beacons without a known one.
        let weakest = -200.0
        // Compared from the left: heard lately, then strong, then heard often.
        func rank(_ entry: SurveyEntry) -> (Int, Double, Int) {
            let isSilent = instant.map { entry.last.duration(to: $0) > Ranging.standard.silentAfter } ?? false
            return (isSilent ? 0 : 1, entry.smoothedRSSI ?? weakest, entry.frames)
        }
        return entries.filter { filter.matches($0.key, $0.value) }
            .map { (frame: $0.key, entry: $0.value) }
            .sorted { rank($0.entry) > rank($1.entry) }
    }
}

/// The statistics of one beacon.
public struct SurveyEntry: Sendable {
    /// The time of the first frame.
    public let first: ScanInstant
    /// The time of the latest frame.
    public private(set) var last: ScanInstant
    /// The number of frames heard.
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

    /// The minimum, median and maximum signal strength in dBm; nil if none was known.
    public var rssi: (min: Int, median: Double, max: Int)? { histogram.summary }
    /// Smoothed signal strength in dBm.
    public var smoothedRSSI: Double? { ranging.signal.value }
    /// The distance band at a time; unknown after half a minute of silence.
    public func proximity(at instant: ScanInstant) -> Proximity { ranging.proximity(at: instant) }
    /// Frames a second over the last seconds.
    public func framesPerSecond(at instant: ScanInstant) -> Double { rate.value(at: instant) }
}

/// The number of frames at each signal strength; the median is exact for any number of frames.
struct SignalHistogram: Sendable {
    private var counts: [Int8: Int] = [:]

    mutating func add(_ rssi: Int8) {
        counts[rssi, default: 0] += 1
    }

    /// The minimum, median and maximum in dBm; nil without any.
    var summary: (min: Int, median: Double, max: Int)? {
        let sorted = counts.sorted { $0.key < $1.key }
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let total = sorted.reduce(0) { $0 + $1.value }
        let median = (value(at: (total - 1) / 2, in: sorted) + value(at: total / 2, in: sorted)) / 2
        return (Int(first.key), median, Int(last.key))
    }

    /// The signal strength at a position in the order of all frames, the weakest first.
    private func value(at rank: Int, in sorted: [(key: Int8, value: Int)]) -> Double {
        var passed = 0
        for (rssi, count) in sorted {
            passed += count
            if rank < passed { return Double(rssi) }
        }
        return 0
    }
}

/// Frames a second, from an exponentially decaying count.
struct FrameRate: Sendable {
    /// The time constant in seconds, after which a frame's weight is about a third.
    private static let memory = 5.0
    /// The number of frames, each of which counts for less with time.
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
