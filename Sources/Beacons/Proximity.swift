#if canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// How near a beacon is, in the bands that Apple's ranging made common. A hint: walls and bodies bend radio.
public enum Proximity: String, CaseIterable, Hashable, Sendable, Codable {
    /// No signal, or a beacon whose measured power is not a power.
    case unknown
    /// Under 0.5 m.
    case immediate
    /// 0.5 m to 4 m.
    case near
    /// 4 m and beyond.
    case far

    /// The place in the order of nearness: the nearest band is 0, unknown comes last.
    package var rank: Int {
        switch self {
        case .immediate: 0
        case .near: 1
        case .far: 2
        case .unknown: 3
        }
    }

    /// The band of a distance in metres; a negative one is unknown.
    public init(metres: Double) {
        switch metres {
        case ..<0: self = .unknown
        case ..<0.5: self = .immediate
        case ..<4: self = .near
        case 4...: self = .far
        default: self = .unknown
        }
    }

    /// Estimated distance in metres, or nil where the measured power is not negative.
    ///
    /// AltBeacon's general curve: with r = rssi / power, r¹⁰ below 1 and 0.89976·r^7.7095 + 0.111 above.
    public static func metres(rssi: Double, measuredPower: Int8) -> Double? {
        guard measuredPower < 0, rssi < 0 else { return nil }
        let ratio = rssi / Double(measuredPower)
        return ratio < 1 ? pow(ratio, 10) : 0.89976 * pow(ratio, 7.7095) + 0.111
    }
}
