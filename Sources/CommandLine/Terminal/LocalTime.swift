import Foundation
public import RegistryAPI

/// Times for people, in the user's zone.
public enum LocalTime {
    /// The time in the user's zone, with the zone: `2026-11-21 07:13:05 CET`.
    public static func text(of time: Timestamp) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss zzz"
        return formatter.string(from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
    }

    /// The time of day in the user's zone, `07:13:05`.
    public static func timeOfDay(_ time: Timestamp) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "HH:mm:ss"
        return formatter.string(from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
    }

    /// The time in the user's zone for a time in JSON; other text is unchanged.
    public static func text(of time: String) -> String { Timestamp(time).map(text) ?? time }
}
