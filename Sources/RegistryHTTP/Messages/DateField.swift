import Glibc
import Synchronization

/// The value of the field `Date` (RFC 9110, section 5.6.7), written once a second.
final class DateField: Sendable {
    private let last = Mutex((second: time_t(0), text: DateField.text(at: 0)))

    var current: String {
        let now = time(nil)
        return last.withLock { last in
            if last.second != now { last = (now, Self.text(at: now)) }
            return last.text
        }
    }

    /// - Parameter second: since the Unix epoch.
    static func text(at second: time_t) -> String {
        var (second, parts) = (second, tm())
        gmtime_r(&second, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year)"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(days[Int(parts.tm_wday)]), \(date) \(time) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
