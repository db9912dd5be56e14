public import RegistryAPI

/// The nights that a beacon spent near the same station.
///
/// A night lasts from midnight to five o'clock by the sun at the station's longitude, which is right to about an hour
/// and needs no map of time zones. It counts if the station heard the beacon for three hours of it.
public struct StationNights: Hashable, Sendable {
    // All in milliseconds.
    private static let day: Int64 = 86_400_000
    private static let nightLength: Int64 = 5 * 3_600_000
    private static let minimumHeard: Int64 = 3 * 3_600_000
    /// The difference of the sun's time for each degree of longitude: a day for 360 degrees.
    private static let perDegree = 240_000.0

    /// For each station's key, the milliseconds for which it heard the beacon in each night. A night's number is that
    /// of its day since 1970.
    private var heard: [Int64: [Int64: Int64]] = [:]

    public init() {}

    /// The number of stations that heard the beacon, by day or by night.
    public var stations: Int { heard.count }

    /// The number of nights at the station with the most.
    public var mostAtOneStation: Int {
        let counts = heard.values.map { nights in nights.values.count { $0 >= Self.minimumHeard } }
        return counts.max() ?? 0
    }

    /// Adds a stay near a station.
    ///
    /// - Parameters:
    ///   - station: the station's key.
    ///   - longitude: in degrees.
    ///   - from: when the stay began; only what lies in the last ``MisuseRules/nightsSpan`` before its end counts.
    ///   - until: when it ended.
    public mutating func add(station: Int64, longitude: Double, from: Timestamp, until: Timestamp) {
        let earliest = until.advanced(by: .zero - MisuseRules.nightsSpan)
        let offset = Duration.milliseconds(Self.sunOffset(at: longitude))
        let begin = max(from, earliest).advanced(by: offset).milliseconds
        let end = until.advanced(by: offset).milliseconds
        var nights = heard[station, default: [:]]
        defer { heard[station] = nights }
        guard begin >= 0, begin < end else { return }
        for night in begin / Self.day...end / Self.day {
            let midnight = night * Self.day
            let part = min(end, midnight + Self.nightLength) - max(begin, midnight)
            if part > 0 { nights[night, default: 0] += part }
        }
    }

    /// How far the sun's time at a longitude is ahead of UTC, in milliseconds, at most half a day; zero for no number.
    private static func sunOffset(at longitude: Double) -> Int64 {
        let offset = Int64(exactly: (longitude * perDegree).rounded()) ?? 0
        return max(-day / 2, min(day / 2, offset))
    }
}
