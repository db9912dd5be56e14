/// A 48-bit Bluetooth device address as seen on the air; never an identity, since it may rotate.
public struct BluetoothAddress: Hashable, Sendable {
    /// The address in the low 48 bits; the octet that is printed first is the most significant.
    public let value: UInt64

    /// The address in the low 48 bits of a number; the bits above are ignored.
    public init(_ value: UInt64) {
        self.value = value & 0xFFFF_FFFF_FFFF
    }

    /// The type of the address (Core Specification 5.4, volume 6, part B, section 1.3; HCI codes).
    public enum Kind: UInt8, Sendable {
        case `public` = 0x00
        case random = 0x01
        case publicIdentity = 0x02
        case randomIdentity = 0x03
        case anonymous = 0xFF
    }
}

extension BluetoothAddress {
    /// Twelve hexadecimal digits, with or without a colon between each two; nil for any other text.
    public init?(_ text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
        guard text.utf8.count == 12 || text.utf8.count == 17, digits.count == 12 else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard let digit = hexadecimalValue(digit) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        self.init(value)
    }
}

extension BluetoothAddress: CustomStringConvertible {
    /// Six upper-case hexadecimal octets separated by colons.
    public var description: String {
        (0..<6).map { index in
            UInt8(truncatingIfNeeded: value >> UInt64(40 - 8 * index)).hexadecimal(uppercase: true)
        }.joined(separator: ":")
    }
}
