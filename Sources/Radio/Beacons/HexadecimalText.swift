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

    /// Writes the 36 bytes of the grouped form; there must be room for them.
    @inlinable
    package static func write(_ value: UInt128, uppercase: Bool, to text: UnsafeMutableBufferPointer<UInt8>) {
        let bytes = UnsafeMutableRawBufferPointer(text)
        func store<Part: FixedWidthInteger & BitwiseCopyable>(_ part: Part, at offset: Int) {
            bytes.storeBytes(of: part.bigEndian, toByteOffset: offset, as: Part.self)
        }
        let (high, low) = (UInt64(truncatingIfNeeded: value >> 64), UInt64(truncatingIfNeeded: value))
        let (second, third) = (digits(high, uppercase), digits(low >> 32, uppercase))
        store(digits(high >> 32, uppercase), at: 0)
        store(UInt32(truncatingIfNeeded: second >> 32), at: 9)
        store(UInt32(truncatingIfNeeded: second), at: 14)
        store(UInt32(truncatingIfNeeded: third >> 32), at: 19)
        store(UInt32(truncatingIfNeeded: third), at: 24)
        store(digits(low, uppercase), at: 28)
        for hyphen in 1...4 { store(UInt8(ascii: "-"), at: 3 + 5 * hyphen) }
    }

    /// The eight digits of the lower 32 bits in ASCII, the first one in the highest byte. It makes them all at once; the
    /// registry writes 14 UUIDs for each visit, and one digit after the other took six times as many instructions.
    @inlinable
    static func digits(_ bits: UInt64, _ uppercase: Bool) -> UInt64 {
        // A byte for each four bits.
        var values = bits & 0xFFFF_FFFF
        values = (values << 16 | values) & 0x0000_FFFF_0000_FFFF
        values = (values << 8 | values) & 0x00FF_00FF_00FF_00FF
        values = (values << 4 | values) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each byte whose value is 10 to 15: adding 6 to it carries into the upper half.
        let letters = (values &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        // In ASCII, ‘A’ comes 7 places after the character that follows ‘9’, and ‘a’ 39 places.
        return values &+ 0x3030_3030_3030_3030 &+ letters &* (uppercase ? 7 : 39)
    }
}
