/// A JSON text that is read from its beginning to its end without copies; for ``PlainVisitReader``.
///
/// Strings hold printable ASCII without escapes. Every method skips the whitespace before what it takes.
struct PlainText {
    typealias NotPlain = PlainVisitReader.NotPlain

    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool {
        mutating get {
            skipWhitespace()
            return offset == bytes.count
        }
    }

    private var current: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private mutating func skipWhitespace() {
        while current == 0x20 || current == 0x0A || current == 0x0D || current == 0x09 { offset += 1 }
    }

    mutating func takeIf(_ punctuation: Unicode.Scalar) -> Bool {
        skipWhitespace()
        guard current == UInt8(ascii: punctuation) else { return false }
        offset += 1
        return true
    }

    mutating func take(_ punctuation: Unicode.Scalar) throws(NotPlain) {
        guard takeIf(punctuation) else { throw NotPlain() }
    }

    /// A field's name and the colon after it.
    mutating func name() throws(NotPlain) -> String {
        let name = try string()
        try take(":")
        return name
    }

    /// Up to 15 bytes, which a `String` holds without an allocation: no name or choice is longer.
    mutating func string() throws(NotPlain) -> String {
        let range = try characters()
        guard range.count <= 15 else { throw NotPlain() }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// The bytes between two quotes.
    private mutating func characters() throws(NotPlain) -> Range<Int> {
        try take("\"")
        let start = offset
        while current != UInt8(ascii: "\"") {
            guard (0x20...0x7E).contains(current), current != UInt8(ascii: "\\") else { throw NotPlain() }
            offset += 1
        }
        offset += 1
        return start..<offset - 1
    }

    mutating func boolean() throws(NotPlain) -> Bool {
        skipWhitespace()
        let value = current == UInt8(ascii: "t")
        for byte in (value ? "true" : "false").utf8 {
            guard current == byte else { throw NotPlain() }
            offset += 1
        }
        return value
    }

    /// A whole number without fraction and exponent.
    mutating func integer(in bounds: ClosedRange<Int64>) throws(NotPlain) -> Int64 {
        let (isNegative, digits) = try decimal()
        let value = isNegative ? -digits.value : digits.value
        guard digits.fraction == 0, bounds.contains(value) else { throw NotPlain() }
        return value
    }

    /// A number of up to 15 digits without exponent: both its digits and the power of ten are exact doubles, so that
    /// their quotient is the nearest double.
    mutating func number(in bounds: ClosedRange<Int>) throws(NotPlain) -> Double {
        let (isNegative, digits) = try decimal()
        guard digits.value < 1_000_000_000_000_000 else { throw NotPlain() }
        let magnitude = Double(digits.value) / Self.powersOfTen[digits.fraction]
        let value = isNegative ? -magnitude : magnitude
        guard (Double(bounds.lowerBound)...Double(bounds.upperBound)).contains(value) else { throw NotPlain() }
        return value
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    ]

    /// Up to 17 digits, how many of them come after the point, and the sign.
    private mutating func decimal() throws(NotPlain) -> (isNegative: Bool, digits: (value: Int64, fraction: Int)) {
        let isNegative = takeIf("-")
        let start = offset
        var value = try digits(0)
        guard offset == start + 1 || bytes[start] != UInt8(ascii: "0") else { throw NotPlain() }
        var fraction = 0
        if current == UInt8(ascii: ".") {
            offset += 1
            let point = offset
            value = try digits(value)
            fraction = offset - point
        }
        let ends = current != UInt8(ascii: ".") && current != UInt8(ascii: "e") && current != UInt8(ascii: "E")
        guard ends, offset - start <= 17 else { throw NotPlain() }
        return (isNegative, (value, fraction))
    }

    /// Appends at least one digit to a value.
    private mutating func digits(_ value: Int64) throws(NotPlain) -> Int64 {
        var value = value
        let start = offset
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(current), offset - start < 18 {
            value = value &* 10 &+ Int64(current &- UInt8(ascii: "0"))
            offset += 1
        }
        guard offset > start else { throw NotPlain() }
        return value
    }

    mutating func timestamp() throws(NotPlain) -> Timestamp {
        guard let timestamp = Timestamp(ascii: bytes[try characters()]) else { throw NotPlain() }
        return timestamp
    }

    mutating func id<Resource>() throws(NotPlain) -> ResourceID<Resource> {
        let (high, low) = try uuid()
        return ResourceID(high: high, low: low)
    }

    /// 32 hexadecimal digits, grouped 8-4-4-4-12.
    mutating func uuid() throws(NotPlain) -> (high: UInt64, low: UInt64) {
        let range = try characters()
        guard range.count == 36 else { throw NotPlain() }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<36 {
            let byte = bytes[range.lowerBound + index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { throw NotPlain() }
                continue
            }
            guard let digit = Self.hexadecimalValue(byte) else { throw NotPlain() }
            if index < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
        }
        return (high, low)
    }

    private static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
