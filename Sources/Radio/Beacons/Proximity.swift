private import Glibc

/// The proximity of a beacon in the bands of Apple's ranging. Only a hint: walls and bodies distort radio.
public enum Proximity: String, CaseIterable, Hashable, Sendable, Codable {
    /// There is no signal, or the beacon's measured power is invalid.
    case unknown
    /// Under 0.5 m.
    case immediate
    /// 0.5 m to 4 m.
    case near
    /// 4 m and beyond.
    case far

    /// The position in the order of nearness: the nearest band is 0, unknown comes last.
    package var rank: Int {
        switch self {
        case .immediate: 0
        case .near: 1
        case .far: 2
        case .unknown: 3
        }
    }

    /// The band of a distance in metres; unknown if it is negative.
    public init(metres: Double) {
        switch metres {
        case ..<0: self = .unknown
        case ..<0.5: self = .immediate
        case ..<4: self = .near
        case 4...: self = .far
        default: self = .unknown
        }
    }

    /// Estimated distance in metres, or nil if the measured power is not negative.
    ///
    /// AltBeacon's general curve: with r = rssi / power, r¹⁰ below 1 and 0.89976·r^7.7095 + 0.111 above.
    public static func metres(rssi: Double, measuredPower: Int8) -> Double? {
        guard measuredPower < 0, rssi < 0 else { return nil }
        let ratio = rssi / Double(measuredPower)
        return ratio < 1 ? pow(ratio, 10) : 0.89976 * pow(ratio, 7.7095) + 0.111
    }
}
