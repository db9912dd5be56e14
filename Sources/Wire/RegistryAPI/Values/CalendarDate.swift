/// A calendar date without a time zone; in JSON a string such as `2026-11-21`.
///
/// Always in the years 0 to 9999, like ``Timestamp``.
public struct CalendarDate: Hashable, Sendable {
    /// Days since 1970-01-01.
    public let day: Int64

    private static let millisecondsPerDay: Int64 = 86_400_000
    /// The days of the times within ``Timestamp/bounds``.
    private static let bounds: ClosedRange<Int64> = {
        let first = Timestamp.floorDivide(Timestamp.bounds.lowerBound, millisecondsPerDay)
        let last = Timestamp.floorDivide(Timestamp.bounds.upperBound, millisecondsPerDay)
        return first...last
    }()

    /// A day outside these years becomes the nearest one within them.
    public init(day: Int64) { self.day = min(max(day, Self.bounds.lowerBound), Self.bounds.upperBound) }

    /// The date of a time in UTC.
    public init(_ time: Timestamp) { self.init(day: Timestamp.floorDivide(time.milliseconds, Self.millisecondsPerDay)) }

    /// Parses `2026-11-21`; nil for anything else, and for a day that does not exist.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 10, let time = Timestamp("\(text)T00:00:00Z") else { return nil }
        self.init(time)
    }

    /// The start of the day in UTC.
    public var start: Timestamp { Timestamp(milliseconds: day * Self.millisecondsPerDay) }

    public var year: Int { Int(civil.year) }
    /// 1…12.
    public var month: Int { Int(civil.month) }
    /// 1…31.
    public var dayOfMonth: Int { Int(civil.day) }

    public func advanced(byDays days: Int) -> CalendarDate {
        CalendarDate(day: Int64(clamping: Int128(day) + Int128(days)))
    }

    /// The same day of a later month, or the last day of that month.
    public func advanced(byMonths months: Int) -> CalendarDate {
        let (year, month, dayOfMonth) = civil
        // The dates span ten thousand years, so more months than that lead to the limit as well.
        let index = year * 12 + month - 1 + Int64(min(max(months, -120_000), 120_000))
        let targetYear = Timestamp.floorDivide(index, 12)
        let targetMonth = index - targetYear * 12 + 1
        let day = min(dayOfMonth, Timestamp.days(inMonth: targetMonth, year: targetYear))
        return CalendarDate(day: Timestamp.daysSinceEpoch(year: targetYear, month: targetMonth, day: day))
    }

    /// The date in the Gregorian calendar.
    private var civil: (year: Int64, month: Int64, day: Int64) { Timestamp.civil(daysSinceEpoch: day) }
}

extension CalendarDate: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.day < right.day }
}

extension CalendarDate: CustomStringConvertible {
    public var description: String { String(start.description.prefix(10)) }
}

extension CalendarDate: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = CalendarDate(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "‘\(text)’ is not a date")
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A minute of the day; in JSON a string such as `22:30`.
public struct TimeOfDay: Hashable, Sendable {
    /// 0…1439.
    public let minute: Int

    /// A minute outside the day becomes the nearest one within it.
    public init(minute: Int) { self.minute = min(max(minute, 0), 1439) }

    /// Parses `22:30`; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 5, let time = Timestamp("1970-01-01T\(text):00Z") else { return nil }
        minute = Int(time.milliseconds / 60_000)
    }
}

extension TimeOfDay: CustomStringConvertible {
    public var description: String {
        String(Timestamp(milliseconds: Int64(minute) * 60_000).description.dropFirst(11).prefix(5))
    }
}

extension TimeOfDay: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = TimeOfDay(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "‘\(text)’ is not a time of day")
        }
        self = time
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
