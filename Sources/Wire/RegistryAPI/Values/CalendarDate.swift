/// A calendar date without a time zone; in JSON a string such as `2026-11-21`.
///
/// Always in the years 0 to 9999, like ``Timestamp``.
public struct CalendarDate: Hashable, Sendable {
    /// Days since 1970-01-01.
    public let day: Int64

    private static let bounds =
        Timestamp.floorDivide(
            Timestamp.bounds.lowerBound, 86_400_000)...Timestamp.floorDivide(Timestamp.bounds.upperBound, 86_400_000)

    /// A day outside these years becomes the nearest one within them.
    public init(day: Int64) { self.day = min(max(day, Self.bounds.lowerBound), Self.bounds.upperBound) }

    /// The date of a time in UTC.
    public init(_ time: Timestamp) { self.init(day: Timestamp.floorDivide(time.milliseconds, 86_400_000)) }

    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 10, let time = Timestamp("\(text)T00:00:00Z") else { return nil }
        self.init(time)
    }

    /// The start of the day in UTC.
    public var start: Timestamp { Timestamp(milliseconds: day * 86_400_000) }

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
        let target = (year: Timestamp.floorDivide(index, 12), month: index - Timestamp.floorDivide(index, 12) * 12 + 1)
        let length = Timestamp.days(inMonth: target.month, year: target.year)
        let day = min(dayOfMonth, length)
        return CalendarDate(day: Timestamp.daysSinceEpoch(year: target.year, month: target.month, day: day))
    }

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

    public init(minute: Int) { self.minute = min(max(minute, 0), 1439) }

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
