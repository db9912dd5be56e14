/// The scan parameters of a controller.
public struct HCIScanOptions: Hashable, Sendable {
    /// Whether scan responses are requested. Passive by default: iBeacons need none, and a passive station does not
    /// transmit.
    public let isActive: Bool
    /// In units of 0.625 ms, like ``windowUnits``.
    let intervalUnits: UInt16
    let windowUnits: UInt16

    /// The values that both families of scan commands accept: 4…0x4000 units of 0.625 ms.
    public static let lengths: ClosedRange<Duration> = .microseconds(2500)...(.milliseconds(10_240))

    /// Creates passive, continuous scanning: windows of 60 ms without a gap.
    public init() {
        isActive = false
        intervalUnits = 96
        windowUnits = 96
    }

    /// - Parameters:
    ///   - interval: the time from one window to the next, rounded to units of 0.625 ms.
    ///   - window: the part of it that is used for scanning; the rest is left to other uses of the radio.
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

    /// A length in units of 0.625 ms, rounded to the nearest.
    private static func units(_ length: Duration) -> UInt16 {
        let unit: Int128 = 625_000_000_000_000
        return UInt16(clamping: (length.attoseconds + unit / 2) / unit)
    }
}
