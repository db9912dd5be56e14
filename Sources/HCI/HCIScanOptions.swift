/// How a controller scans.
public struct HCIScanOptions: Hashable, Sendable {
    /// Whether scan responses are asked for. Passive unless asked: iBeacons need none, and nobody hears the station.
    public let isActive: Bool
    let intervalUnits: UInt16
    let windowUnits: UInt16

    /// Lengths that both families of scan commands take: 4…0x4000 units of 0.625 ms.
    public static let lengths: ClosedRange<Duration> = .microseconds(2500)...(.milliseconds(10_240))

    /// Passive, and listening all the time.
    public init() {
        isActive = false
        intervalUnits = 96
        windowUnits = 96
    }

    /// - Parameters:
    ///   - interval: time from one window to the next, rounded to units of 0.625 ms.
    ///   - window: how much of it is listened; the rest is left to other uses of the radio.
    /// - Throws: ``HCIError/invalidOption(_:)``
    public init(isActive: Bool = false, interval: Duration, window: Duration) throws(HCIError) {
        for (name, length) in [("interval", interval), ("window", window)] {
            guard Self.lengths.contains(length) else {
                throw .invalidOption("the scan \(name) is \(length): give 2.5 ms to 10,240 ms")
            }
        }
        guard window <= interval else {
            throw .invalidOption("the scan window is longer than the interval: give \(interval) at most")
        }
        self.isActive = isActive
        intervalUnits = Self.units(interval)
        windowUnits = Self.units(window)
    }

    private static func units(_ length: Duration) -> UInt16 {
        UInt16(clamping: (length.attoseconds + 312_500_000_000_000) / 625_000_000_000_000)
    }
}
