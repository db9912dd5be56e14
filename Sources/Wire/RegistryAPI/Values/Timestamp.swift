import Syntax

/// A point in time in milliseconds since the Unix epoch; in JSON a string in UTC as in RFC 3339, such as
/// `2026-11-21T06:13:05.250Z`.
///
/// Always in the years 0 to 9999, the range of RFC 3339. So adding a number of days to a time cannot overflow, even if
/// a hostile peer sent the time.
public struct Timestamp: Hashable, Sendable {
    /// Since 1970-01-01 in UTC, without leap seconds.
    public let milliseconds: Int64

    /// The first millisecond of the year 0 and the last millisecond of the year 9999.
    public static let bounds: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// A time outside the ``bounds`` becomes the nearest one within them.
    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.bounds.lowerBound), Self.bounds.upperBound)
    }

    /// Parses RFC 3339 with any offset; digits beyond the millisecond are dropped. A leap second counts as the next
    /// second. Nil if the text is invalid, or if the offset leads out of the ``bounds``.
    public init?(_ text: some StringProtocol) { self.init(ascii: text.utf8) }

    /// Parses bytes in the same way.
    init?(ascii text: some Collection<UInt8>) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(digits: 4), scanner.take("-"),
            let month = scanner.number(digits: 2), (1...12).contains(month), scanner.take("-"),
            let day = scanner.number(digits: 2), (1...Self.days(inMonth: month, year: year)).contains(day),
            scanner.take("T") || scanner.take("t"),
            let hour = scanner.number(digits: 2), hour < 24, scanner.take(":"),
            let minute = scanner.number(digits: 2), minute < 60, scanner.take(":"),
            let second = scanner.number(digits: 2), second <= 60
        else { return nil }
        var fraction: Int64 = 0
        if scanner.take(".") {
            guard let milliseconds = scanner.fraction() else { return nil }
            fraction = milliseconds
        }
        var offset: Int64 = 0
        if !(scanner.take("Z") || scanner.take("z")) {
            let sign: Int64
            if scanner.take("+") { sign = 1 } else if scanner.take("-") { sign = -1 } else { return nil }
            guard let hours = scanner.number(digits: 2), hours < 24, scanner.take(":"),
                let minutes = scanner.number(digits: 2), minutes < 60
            else { return nil }
            offset = sign * (hours * 60 + minutes) * 60
        }
        guard scanner.isAtEnd else { return nil }
        let seconds = Self.daysSinceEpoch(year: year, month: month, day: day) * 86_400
        let milliseconds = (seconds + hour * 3600 + minute * 60 + second - offset) * 1000 + fraction
        guard Self.bounds.contains(milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// The time after a duration, limited to the ``bounds``, since a time may come from a hostile peer.
    public func advanced(by duration: Duration) -> Timestamp {
        let sum = Int128(milliseconds) + duration.attoseconds / 1_000_000_000_000_000
        return Timestamp(milliseconds: Int64(clamping: sum))
    }

    /// The calendar year in UTC.
    public var year: Int {
        Int(Self.civil(daysSinceEpoch: Self.floorDivide(milliseconds, 86_400_000)).year)
    }

    /// The time from this one to another; negative if that is earlier.
    public func duration(to other: Timestamp) -> Duration {
        .milliseconds(other.milliseconds - milliseconds)
    }
}

extension Timestamp: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds.
    public var description: String {
        String(unsafeUninitializedCapacity: 48) { buffer in
            var text = DigitWriter(buffer)
            write(to: &text)
            return text.count
        }
    }

    /// The bytes of the description.
    func appendText(to text: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 48) { buffer in
            var digits = DigitWriter(buffer)
            write(to: &digits)
            text.append(contentsOf: buffer[..<digits.count])
        }
    }

    private func write(to text: inout DigitWriter) {
        let day = Self.floorDivide(milliseconds, 86_400_000)
        let (year, month, dayOfMonth) = Self.civil(daysSinceEpoch: day)
        let time = milliseconds - day * 86_400_000
        text.append(year, width: 4)
        text.append("-", month, width: 2)
        text.append("-", dayOfMonth, width: 2)
        text.append("T", time / 3_600_000, width: 2)
        text.append(":", time / 60_000 % 60, width: 2)
        text.append(":", time / 1000 % 60, width: 2)
        text.append(".", time % 1000, width: 3)
        text.append("Z")
    }
}

/// Writes decimal numbers into memory, which must be large enough.
private struct DigitWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    mutating func append(_ separator: Unicode.Scalar) {
        buffer[count] = UInt8(ascii: separator)
        count += 1
    }

    mutating func append(_ separator: Unicode.Scalar, _ value: Int64, width: Int) {
        append(separator)
        append(value, width: width)
    }

    /// Writes a number, padded with zeros to the width; a sign counts as a digit.
    mutating func append(_ value: Int64, width: Int) {
        let digits = max(width, Self.length(value))
        var rest = value.magnitude
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        if value < 0 { buffer[count + digits - Self.length(value)] = UInt8(ascii: "-") }
        count += digits
    }

    /// The number of characters of a number, including its sign.
    private static func length(_ value: Int64) -> Int {
        var (length, rest) = (value < 0 ? 2 : 1, value.magnitude / 10)
        while rest > 0 { (length, rest) = (length + 1, rest / 10) }
        return length
    }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let timestamp = Timestamp(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "‘\(text)’ is not an RFC 3339 time")
        }
        self = timestamp
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

// The proleptic Gregorian calendar by 400-year cycles, after H. Hinnant, “chrono-Compatible Low-Level Date Algorithms”.
extension Timestamp {
    /// The quotient, rounded down also for negative values; the divisor must be positive.
    static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((-(value + 1)) / divisor) - 1
    }

    /// The days from 1970-01-01 to a date, with years that begin in March, so that a leap day is the last day of its year.
    static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date that is a number of days after 1970-01-01: the inverse of ``daysSinceEpoch(year:month:day:)``.
    static func civil(daysSinceEpoch days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }

    /// The number of days of a month, 28…31.
    static func days(inMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// Reads fixed-width numbers and single characters from ASCII.
private struct DigitScanner<Bytes: Collection<UInt8>> {
    private var rest: Bytes.SubSequence

    init(_ bytes: Bytes) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Consumes a character if it comes next; returns whether it did.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Consumes a digit; nil if none comes next.
    mutating func digit() -> Int64? {
        guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        rest.removeFirst()
        return Int64(byte - UInt8(ascii: "0"))
    }

    /// Consumes a number of exactly this many digits; nil if they do not come next.
    mutating func number(digits: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Consumes the digits after a decimal point; returns them as milliseconds, nil if there is none.
    mutating func fraction() -> Int64? {
        guard var value = digit() else { return nil }
        var count = 1
        while let digit = digit() {
            if count < 3 { value = value * 10 + digit }
            count += 1
        }
        for _ in min(count, 3)..<3 { value *= 10 }
        return value
    }
}
