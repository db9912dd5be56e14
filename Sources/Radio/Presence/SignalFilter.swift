public import Beacons
private import Glibc

/// A smoothed signal strength from irregular samples: the median of three, then a time-aware average.
///
/// The median drops single outliers, which are common because of reflections and collisions (AltBeacon trims 10 % at
/// either end for the same reason). The average weighs a sample by α = 1 − exp(−Δt/τ), so that the result depends on
/// time and not on how often a beacon is heard. Until there are three samples, the value is their median.
public struct SignalFilter: Hashable, Sendable {
    /// Smoothed signal strength in dBm; nil before the first sample.
    public private(set) var value: Double?
    /// The time of the latest sample; nil before the first.
    public private(set) var lastSample: ScanInstant?

    // The window is stored inline: every candidate and visit has a filter, which must not allocate.
    private var newest: Int8 = 0
    private var middle: Int8 = 0
    private var oldest: Int8 = 0
    private var samples: UInt8 = 0

    public init() {}

    /// Whether the window is full, so that a single outlier cannot determine the value.
    public var isSettled: Bool { samples == 3 }

    /// Whether there is more than one sample.
    public var isRepeated: Bool { samples > 1 }

    /// Adds a sample in dBm; if time goes back it counts as standing still, and a long silence restarts smoothing.
    public mutating func add(_ rssi: Int8, at instant: ScanInstant, ranging: Ranging = .standard) {
        let elapsed = max(.zero, lastSample?.duration(to: instant) ?? .zero)
        if elapsed > ranging.silentAfter { samples = 0 }
        lastSample = max(instant, lastSample ?? instant)
        oldest = middle
        middle = newest
        newest = rssi
        if isSettled, let value {
            self.value = value + (median - value) * Self.weight(of: elapsed, timeConstant: ranging.timeConstant)
        } else {
            samples += 1
            value = median
        }
    }

    /// The median of the samples in the window; of two, their mean.
    private var median: Double {
        switch samples {
        case 1: Double(newest)
        case 2: (Double(newest) + Double(middle)) / 2
        default: Double(max(min(newest, middle), min(max(newest, middle), oldest)))
        }
    }

    private static func weight(of elapsed: Duration, timeConstant: Duration) -> Double {
        guard timeConstant > .zero else { return 1 }
        return -expm1(-elapsed.seconds / timeConstant.seconds)
    }
}
