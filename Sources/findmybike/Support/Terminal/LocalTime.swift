import Foundation
import RegistryAPI

extension Timestamp {
    /// The time in the user's zone, with the zone: `2026-11-21 07:13:05 CET`.
    var local: String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss zzz"
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}
