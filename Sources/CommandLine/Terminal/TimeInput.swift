public import Foundation
public import RegistryAPI
import Syntax

/// Times as people type them, in their own zone.
public enum TimeInput {
    /// The accepted formats of a time in the past, for help and error messages.
    public static let forms =
        "2h ago, 18:30, yesterday 18:30, 2026-11-21, 2026-11-21 18:30 or 2026-11-21T18:30:00+01:00"

    /// The accepted formats of a time in the future, for help and error messages.
    public static let comingForms = "\"in 3 days\", \"tomorrow 18:30\", 2026-12-01 or 2026-12-01T18:30:00+01:00"

    /// Parses a time.
    ///
    /// - Parameters:
    ///   - now: the reference for “ago” and “today”; a time of day without a day is the latest in the past.
    ///   - zone: the zone of times without one.
    /// - Returns: the time; nil if the text has none of the ``forms`` or ``comingForms``.
    public static func time(_ text: String, now: Timestamp, zone: TimeZone = .current) -> Timestamp? {
        if let exact = Timestamp(text) { return exact }
        let words = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        if words == ["now"] { return now }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // `2026-11-21T18:30` is a date and a time of day.
        let halves = text.split(at: "T", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return relativeTime(words, now) ?? localTime(words, now, calendar) ?? localTime(halves, now, calendar)
    }

    /// The highest number of units, so that nothing overflows.
    private static let mostUnits: Int64 = 100_000

    /// Parses `2h ago`, `3 days ago` or `in 30 days`.
    private static func relativeTime(_ words: [String], _ now: Timestamp) -> Timestamp? {
        let isPast = words.last == "ago"
        guard isPast || words.first == "in", words.count > 1 else { return nil }
        let amount = (isPast ? words.dropLast() : words.dropFirst()).joined()
        let digits = amount.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), count <= mostUnits, let unit = seconds(of: amount.dropFirst(digits.count))
        else { return nil }
        return now.advanced(by: .seconds(isPast ? -count * unit : count * unit))
    }

    /// The seconds of a unit; nil for an unknown one.
    private static func seconds(of unit: Substring) -> Int64? {
        switch unit {
        case "s", "sec", "second", "seconds": 1
        case "m", "min", "mins", "minute", "minutes": 60
        case "h", "hour", "hours": 3600
        case "d", "day", "days": 86_400
        case "w", "week", "weeks": 604_800
        default: nil
        }
    }

    /// Parses a day, a time of day, or both in this order.
    private static func localTime(_ words: [String], _ now: Timestamp, _ calendar: Calendar) -> Timestamp? {
        let today = calendar.startOfDay(for: Date(now))
        switch words.count {
        case 1:
            if let day = day(words[0], today, calendar) { return Timestamp(day) }
            return ClockTime(words[0]).flatMap { latest($0, today, now, calendar) }
        case 2:
            guard let day = day(words[0], today, calendar), let clockTime = ClockTime(words[1]) else { return nil }
            return time(clockTime, on: day, calendar)
        default: return nil
        }
    }

    /// The latest time until now at which a clock shows this.
    private static func latest(
        _ clockTime: ClockTime, _ today: Date, _ now: Timestamp, _ calendar: Calendar
    ) -> Timestamp? {
        let timeToday = time(clockTime, on: today, calendar)
        guard let coming = timeToday, coming > now else { return timeToday }
        return calendar.date(byAdding: .day, value: -1, to: today).flatMap { time(clockTime, on: $0, calendar) }
    }

    /// The time on a day at which a clock shows this; nil if the calendar finds none.
    private static func time(_ clockTime: ClockTime, on day: Date, _ calendar: Calendar) -> Timestamp? {
        calendar
            .date(bySettingHour: clockTime.hour, minute: clockTime.minute, second: clockTime.second, of: day)
            .map(Timestamp.init)
    }

    /// The start of `today`, `yesterday`, `tomorrow` or `2026-11-21`.
    private static func day(_ word: String, _ today: Date, _ calendar: Calendar) -> Date? {
        switch word {
        case "today": return today
        case "yesterday": return calendar.date(byAdding: .day, value: -1, to: today)
        case "tomorrow": return calendar.date(byAdding: .day, value: 1, to: today)
        default:
            guard let date = CalendarDate(word) else { return nil }
            return calendar.date(from: DateComponents(year: date.year, month: date.month, day: date.dayOfMonth))
        }
    }
}

/// What a clock shows: hours 0 to 23, minutes and seconds 0 to 59.
private struct ClockTime {
    private(set) var hour: Int
    let minute: Int
    let second: Int

    /// Parses `18:30`, `8:05`, `18:30:15` or `6:30pm`, in lower case; nil for anything else.
    init?(_ word: String) {
        if let time = word.dropping(suffix: "am") {
            self.init(digits: time)
            guard (1...12).contains(hour) else { return nil }
            // 12:05 am is five minutes after midnight.
            hour %= 12
        } else if let time = word.dropping(suffix: "pm") {
            self.init(digits: time)
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + 12
        } else {
            self.init(digits: word[...])
        }
    }

    /// Parses one or two digits of hours, and two digits each of minutes and seconds, which may be missing.
    private init?(digits word: Substring) {
        let parts = word.split(at: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), (1...2).contains(parts[0].utf8.count),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
        else { return nil }
        let numbers = parts.compactMap { Int(digits: $0) }
        guard numbers.count == parts.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
            return nil
        }
        hour = numbers[0]
        minute = numbers[1]
        second = numbers.count > 2 ? numbers[2] : 0
    }
}

extension Date {
    fileprivate init(_ time: Timestamp) { self.init(timeIntervalSince1970: Double(time.milliseconds) / 1000) }
}

extension Timestamp {
    fileprivate init(_ date: Date) {
        // The years here have four digits, so the milliseconds cannot overflow.
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }

    /// The time of the system’s clock.
    public static var now: Timestamp { Timestamp(Date()) }
}
