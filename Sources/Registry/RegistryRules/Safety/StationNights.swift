public import RegistryAPI

/// The nights that a beacon spent near the same station.
///
/// A night lasts from midnight to five o'clock by the sun at the station's longitude, which is right to about an hour and
/// needs no map of time zones. It counts if the station heard the beacon for three hours of it.
public struct StationNights: Hashable, Sendable {
    // In milliseconds.
    private static let day: Int64 = 86_400_000
    private static let nightLength: Int64 = 5 * 3_600_000
    private static let minimumHeard: Int64 = 3 * 3_600_000

    /// The milliseconds that each station heard the beacon in each night, by the night's number.
    private var heard: [Int64: [Int64: Int64]] = [:]

    public init() {}

    /// The number of stations that heard the beacon, by day or by night.
    public var stations: Int { heard.count }

    /// The most nights at one station.
    public var most: Int { heard.values.map { nights in nights.values.count { $0 >= Self.minimumHeard } }.max() ?? 0 }

    /// Adds a stay near a station.
    ///
    /// - Parameters:
    ///   - station: the station's key.
    ///   - longitude: in degrees.
    ///   - from: when the stay began; only what lies in the last ``MisuseRules/nightsSpan`` before its end counts.
    public mutating func add(station: Int64, longitude: Double, from: Timestamp, until: Timestamp) {
        let earliest = until.advanced(by: .zero - MisuseRules.nightsSpan)
        let offset =
            Int64(exactly: (longitude * 240_000).rounded()).map { max(-Self.day / 2, min(Self.day / 2, $0)) } ?? 0
        let begin = max(from, earliest).advanced(by: .milliseconds(offset)).milliseconds
        let end = until.advanced(by: .milliseconds(offset)).milliseconds
        var nights = heard[station, default: [:]]
        defer { heard[station] = nights }
        guard begin >= 0, begin < end else { return }
        for night in begin / Self.day...end / Self.day {
            let midnight = night * Self.day
            let part = min(end, midnight + Self.nightLength) - max(begin, midnight)
            if part > 0 { nights[night, default: 0] += part }
        }
    }
}
