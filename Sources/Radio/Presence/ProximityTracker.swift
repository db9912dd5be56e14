public import Beacons

/// The distance band of one beacon over time: smoothed, with hysteresis at the edges, unknown after silence.
///
/// A band changes only when the smoothed signal is past the edge by ``Ranging/margin``. The edges are those of
/// ``Beacons/Proximity``, expressed as signal strength, so that the margin means the same at every distance.
public struct ProximityTracker: Hashable, Sendable {
    public let ranging: Ranging
    public private(set) var signal = SignalFilter()
    /// The power in the latest frame, in dBm at 1 m; nil before the first.
    public private(set) var measuredPower: Int8?

    private var band = Proximity.unknown
    /// The nearest band that was shown by more than a momentary signal.
    private var confirmed = Proximity.unknown

    public init(ranging: Ranging = .standard) {
        self.ranging = ranging
    }

    /// Processes one frame; without a signal strength (nil) only its power is used.
    public mutating func add(rssi: Int8?, measuredPower: Int8, at instant: ScanInstant) {
        if isSilent(at: instant) { endBurst() }
        self.measuredPower = measuredPower
        guard let rssi else { return }
        signal.add(rssi, at: instant, ranging: ranging)
        guard let value = signal.value else { return }
        band = Self.band(of: value, measuredPower: measuredPower, margin: ranging.margin, from: band)
        if signal.isSettled { confirm() }
    }

    /// The nearest band so far. A single outlier does not count: until the signal has settled, this is the best
    /// estimate, which needs two frames.
    public var nearest: Proximity { confirmed == .unknown && signal.isRepeated ? band : confirmed }

    /// The band at a given time; unknown once nothing has been measured for ``Ranging/silentAfter``.
    public func proximity(at instant: ScanInstant) -> Proximity {
        isSilent(at: instant) ? .unknown : band
    }

    /// The estimated distance in metres, a hint only; nil without a signal or a usable power.
    public var metres: Double? {
        guard let value = signal.value, let measuredPower else { return nil }
        return Proximity.metres(rssi: value, measuredPower: measuredPower)
    }

    /// Resets the nearest band, for the next visit of a stay.
    mutating func forgetNearest(at instant: ScanInstant) {
        if isSilent(at: instant) { band = .unknown }
        confirmed = .unknown
    }

    /// Restores the nearest band from an earlier run of the program.
    mutating func restore(nearest: Proximity) {
        confirmed = nearest
    }

    /// Whether nothing has been measured for so long that the band is unknown.
    private func isSilent(at instant: ScanInstant) -> Bool {
        guard let last = signal.lastSample else { return true }
        return last.duration(to: instant) > ranging.silentAfter
    }

    /// Counts a signal that ended before it settled: a beacon may be heard only in pairs of frames.
    private mutating func endBurst() {
        if signal.isRepeated { confirm() }
        band = .unknown
    }

    /// Counts the current band for the nearest one.
    private mutating func confirm() {
        if band.rank < confirmed.rank { confirmed = band }
    }
}

extension ProximityTracker {
    /// rssi / power at 0.5 m: the solution of r¹⁰ = 0.5.
    static let immediateRatio = 0.933_032_991_536_807_4
    /// rssi / power at 4 m: the solution of 0.89976·r^7.7095 + 0.111 = 4.
    static let nearRatio = 1.209_088_721_156_828

    /// The band of a signal strength, with both edges moved away from the current band.
    static func band(of rssi: Double, measuredPower: Int8, margin: Double, from present: Proximity) -> Proximity {
        guard measuredPower < 0 else { return .unknown }
        let (immediateShift, nearShift) =
            switch present {
            case .unknown: (0.0, 0.0)
            case .immediate: (-margin, -margin)
            case .near: (margin, -margin)
            case .far: (margin, margin)
            }
        if rssi > Double(measuredPower) * immediateRatio + immediateShift { return .immediate }
        if rssi > Double(measuredPower) * nearRatio + nearShift { return .near }
        return .far
    }
}
