import Foundation
public import RegistryAPI

/// Times for people, in the user's zone.
public enum LocalTime {
    /// The time in the user's zone, with the zone: `2026-11-21 07:13:05 CET`.
    public static func text(of time: Timestamp) -> String { formatted(time, "yyyy-MM-dd HH:mm:ss zzz") }

    /// The time of day in the user's zone, `07:13:05`.
    public static func timeOfDay(_ time: Timestamp) -> String { formatted(time, "HH:mm:ss") }

    /// The time in the user's zone for a time in JSON; other text is unchanged.
    public static func text(of time: String) -> String { Timestamp(time).map(text) ?? time }

    /// - Parameter pattern: a date format pattern (Unicode Technical Standard #35).
    private static func formatted(_ time: Timestamp, _ pattern: String) -> String {
        let formatter = DateFormatter()
        // The only locale in which the user's settings do not change a pattern.
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = pattern
        return formatter.string(from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
    }
}
