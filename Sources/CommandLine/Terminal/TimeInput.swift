public import Foundation
public import RegistryAPI
import Syntax

/// Times as people type them, in their own zone.
public enum TimeInput {
    /// The accepted formats, for help and error messages.
    public static let forms =
        "2h ago, 18:30, yesterday 18:30, 2026-11-21, 2026-11-21 18:30 or 2026-11-21T18:30:00+01:00"

    /// The accepted formats of a time in the future, for help and error messages.
    public static let comingForms = "\"in 3 days\", \"tomorrow 18:30\", 2026-12-01 or 2026-12-01T18:30:00+01:00"

    /// Parses a time.
    ///
    /// - Parameters:
    ///   - now: the reference for “ago” and “today”; a time of day without a day is the latest in the past.
    ///   - zone: the zone of times without one.
    /// - Returns: the time; nil if the text has none of the ``forms``.
    public static func time(_ text: String, now: Timestamp, zone: TimeZone = .current) -> Timestamp? {
        if let exact = Timestamp(text) { return exact }
        let words = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        if words == ["now"] { return now }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return distance(words, now) ?? day(words, now, calendar) ?? day(parts(of: text), now, calendar)
    }

    /// Splits the text into words; `2026-11-21T18:30` is a date and a time of day.
    private static func parts(of text: String) -> [String] {
        text.split(at: "T", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    }

    /// Parses `2h ago`, `3 days ago` or `in 30 days`.
    private static func distance(_ words: [String], _ now: Timestamp) -> Timestamp? {
        let isPast = words.last == "ago"
        guard isPast || words.first == "in", words.count > 1 else { return nil }
        let amount = (isPast ? words.dropLast() : words.dropFirst()).joined()
        let digits = amount.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), count <= 100_000, let unit = seconds(of: amount.dropFirst(digits.count))
        else { return nil }
        return now.advanced(by: .seconds(isPast ? -count * unit : count * unit))
    }

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

    /// Parses a day, a time of day, or both.
    private static func day(_ words: [String], _ now: Timestamp, _ calendar: Calendar) -> Timestamp? {
        let today = calendar.startOfDay(for: Date(now))
        switch words.count {
        case 1:
            if let day = date(words[0], today, calendar) { return Timestamp(day) }
            return clock(words[0]).flatMap { latest($0, today, now, calendar) }
        case 2:
            guard let day = date(words[0], today, calendar), let clock = clock(words[1]) else { return nil }
            return at(clock, on: day, calendar)
        default: return nil
        }
    }

    private typealias Clock = (hour: Int, minute: Int, second: Int)

    private static func latest(_ clock: Clock, _ today: Date, _ now: Timestamp, _ calendar: Calendar) -> Timestamp? {
        guard let time = at(clock, on: today, calendar), time > now else { return at(clock, on: today, calendar) }
        return calendar.date(byAdding: .day, value: -1, to: today).flatMap { at(clock, on: $0, calendar) }
    }

    private static func at(_ clock: Clock, on day: Date, _ calendar: Calendar) -> Timestamp? {
        calendar.date(bySettingHour: clock.hour, minute: clock.minute, second: clock.second, of: day)
            .map(Timestamp.init)
    }

    /// The start of `today`, `yesterday`, `tomorrow` or `2026-11-21`.
    private static func date(_ word: String, _ today: Date, _ calendar: Calendar) -> Date? {
        switch word {
        case "today": return today
        case "yesterday": return calendar.date(byAdding: .day, value: -1, to: today)
        case "tomorrow": return calendar.date(byAdding: .day, value: 1, to: today)
        default:
            guard let date = CalendarDate(word) else { return nil }
            return calendar.date(from: DateComponents(year: date.year, month: date.month, day: date.dayOfMonth))
        }
    }

    /// Parses `18:30`, `8:05`, `18:30:15` or `6:30pm`.
    private static func clock(_ word: String) -> Clock? {
        let half = ["am", "pm"].first { word.ends(with: $0) }
        guard let clock = digits(half == nil ? word[...] : word.dropLast(2)) else { return nil }
        guard let half else { return clock }
        guard (1...12).contains(clock.hour) else { return nil }
        return (clock.hour % 12 + (half == "pm" ? 12 : 0), clock.minute, clock.second)
    }

    private static func digits(_ word: Substring) -> Clock? {
        let parts = word.split(at: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count),
            parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { 48...57 ~= $0 } }),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
        else { return nil }
        let numbers = parts.compactMap { UInt8($0) }.map(Int.init)
        guard numbers.count == parts.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
            return nil
        }
        return (numbers[0], numbers[1], numbers.count > 2 ? numbers[2] : 0)
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

    /// The system’s clock.
    public static var now: Timestamp { Timestamp(Date()) }
}
