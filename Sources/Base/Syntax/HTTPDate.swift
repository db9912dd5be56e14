/// Dates of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
public enum HTTPDate {
    /// The length of every date in bytes.
    private static let length = 29
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The seconds since the Unix epoch; nil if the text is not such a date. The day of the week is not checked.
    public static func seconds(_ text: String) -> Int64? {
        let parts = text.utf8.count == length ? text.split(at: " ") : []
        guard parts.count == 6, parts[5] == "GMT", let day = number(parts[1], 1...31),
            let month = months.firstIndex(of: String(parts[2])), let year = number(parts[3], 1970...9999)
        else { return nil }
        let clock = parts[4].split(at: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], 0...23), let minute = number(clock[1], 0...59),
            let second = number(clock[2], 0...60)
        else { return nil }
        return days(year, Int64(month + 1), day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// The number if it is within the range; otherwise nil.
    private static func number(_ text: Substring, _ range: ClosedRange<Int64>) -> Int64? {
        Int64(digits: text).flatMap { range.contains($0) ? $0 : nil }
    }

    /// The days from 1970-01-01 to a day of the Gregorian calendar, with years that begin in March, so that a leap day
    /// is the last day of its year. From March, five months have 153 days, and 719,468 days lead from the year 0 to 1970
    /// (H. Hinnant, “chrono-Compatible Low-Level Date Algorithms”).
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let years = month > 2 ? year : year - 1
        let monthsSinceMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1
        return years * 365 + years / 4 - years / 100 + years / 400 + dayOfYear - 719_468
    }
}
