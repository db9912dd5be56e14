/// The 128-bit proximity UUID of an iBeacon, as transmitted: big-endian, without a version or variant of its own.
public struct ProximityUUID: Hashable, Sendable {
    /// Bytes 0–7, the first transmitted byte in the most significant place.
    public let high: UInt64
    /// Bytes 8–15.
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses 32 hexadecimal digits in either case, plain or grouped 8-4-4-4-12 (RFC 9562, section 4).
    public init?(_ text: some StringProtocol) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var digits = 0
        var hyphens = 0
        for character in text.utf8 {
            if character == UInt8(ascii: "-") {
                guard hyphens < 4, digits == [8, 12, 16, 20][hyphens] else { return nil }
                hyphens += 1
                continue
            }
            guard digits < 32, let digit = hexadecimalValue(character) else { return nil }
            if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
            digits += 1
        }
        guard digits == 32, hyphens == 0 || hyphens == 4 else { return nil }
        self.init(high: high, low: low)
    }
}

extension ProximityUUID: CustomStringConvertible {
    /// Upper case, grouped 8-4-4-4-12, as beacon makers and Apple print it.
    public var description: String {
        var text = ""
        text.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append("-") }
            let word = index < 16 ? high : low
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (index % 16)) & 0xF)
            text.unicodeScalars.append(Unicode.Scalar(nibble < 10 ? nibble + 48 : nibble + 55))
        }
        return text
    }
}

extension ProximityUUID: Comparable {
    /// Orders by the transmitted bytes.
    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension ProximityUUID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let uuid = ProximityUUID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "‘\(text)’ is not a UUID")
        }
        self = uuid
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The value of one hexadecimal digit in ASCII, or nil.
@inlinable
func hexadecimalValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}
