/// The value of one hexadecimal digit in ASCII, or nil.
@inlinable
package func hexadecimalValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// The bytes of hexadecimal digits in either case, two digits for each byte.
///
/// - Parameter maximum: the maximum number of bytes.
/// - Returns: nil if there are more bytes, an odd number of digits, or other characters.
package func hexadecimalBytes(_ text: some StringProtocol, maximum: Int) -> [UInt8]? {
    guard text.utf8.count <= 2 * maximum else { return nil }
    var bytes: [UInt8] = []
    var digits = text.utf8.makeIterator()
    while let first = digits.next() {
        guard let high = hexadecimalValue(first), let low = digits.next().flatMap(hexadecimalValue) else { return nil }
        bytes.append(high << 4 | low)
    }
    return bytes
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// Hexadecimal digits with leading zeros, to the full width of the type.
    package func hexadecimal(uppercase: Bool = false) -> String {
        let digits = String(self, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}

/// UUIDs as text: 32 hexadecimal digits, grouped 8-4-4-4-12 (RFC 9562, section 4).
@usableFromInline
package enum UUIDText {
    /// Parses digits in either case, plain or grouped; nil if the text is not a UUID.
    @inlinable
    package static func value(of text: some Sequence<UInt8>) -> UInt128? {
        var value: UInt128 = 0
        var digits = 0
        var hyphens = 0
        for character in text {
            if character == UInt8(ascii: "-") {
                guard hyphens < 4, digits == 8 + 4 * hyphens else { return nil }
                hyphens += 1
                continue
            }
            guard digits < 32, let digit = hexadecimalValue(character) else { return nil }
            value = value << 4 | UInt128(digit)
            digits += 1
        }
        return digits == 32 && (hyphens == 0 || hyphens == 4) ? value : nil
    }

    /// Writes the 36 bytes of the grouped form.
    @inlinable
    package static func write(_ value: UInt128, uppercase: Bool, to text: UnsafeMutableBufferPointer<UInt8>) {
        let letters = UInt8(ascii: uppercase ? "A" : "a") - 10
        let (high, low) = (UInt64(truncatingIfNeeded: value >> 64), UInt64(truncatingIfNeeded: value))
        var offset = 0
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 {
                text[offset] = UInt8(ascii: "-")
                offset += 1
            }
            let digit = UInt8(truncatingIfNeeded: (index < 16 ? high : low) &>> UInt64(60 - 4 * (index & 15))) & 0xF
            text[offset] = digit + (digit < 10 ? UInt8(ascii: "0") : letters)
            offset += 1
        }
    }
}
