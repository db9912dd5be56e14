/// The secret of a rotating beacon (profile “rot 1”), known only to the beacon and its registry: 16 bytes.
///
/// It derives what the beacon sends in each slot. Anyone who knows it can follow and imitate the beacon, so its
/// description does not show it, and it cannot be encoded by accident: ``hexadecimal`` and ``bytes`` reveal it.
public struct RotatingBeaconKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The number of bytes.
    public static let length = 16

    /// A key of 16 bytes; nil for any other number, and for the key of zeros, which a device has before it gets one.
    public init?(bytes: some Sequence<UInt8>) {
        var value: UInt128 = 0
        var count = 0
        for byte in bytes {
            guard count < Self.length else { return nil }
            value = value << 8 | UInt128(byte)
            count += 1
        }
        guard count == Self.length, value != 0 else { return nil }
        high = UInt64(truncatingIfNeeded: value >> 64)
        low = UInt64(truncatingIfNeeded: value)
    }

    /// Parses 32 hexadecimal digits in either case, as ``hexadecimal`` prints them.
    public init?(hexadecimal text: some StringProtocol) {
        guard let bytes = hexadecimalBytes(text, maximum: Self.length) else { return nil }
        self.init(bytes: bytes)
    }

    /// A new key.
    public static func random(
        using generator: inout some RandomNumberGenerator
    ) -> RotatingBeaconKey {
        // 2^-128 of all draws are zero; one bit is then as good as any other.
        let high: UInt64 = generator.next()
        let low: UInt64 = generator.next()
        return RotatingBeaconKey(high: high, low: high == 0 && low == 0 ? 1 : low)
    }

    /// A new key from the system's random numbers.
    public static func random() -> RotatingBeaconKey {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The secret bytes, in order.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
        return bytes
    }

    /// The secret as 32 lower-case hexadecimal digits.
    public var hexadecimal: String { high.hexadecimal() + low.hexadecimal() }

    /// The first four words of a derivation.
    var words: InlineArray<4, UInt32> {
        [
            UInt32(truncatingIfNeeded: high >> 32), UInt32(truncatingIfNeeded: high),
            UInt32(truncatingIfNeeded: low >> 32), UInt32(truncatingIfNeeded: low),
        ]
    }
}

// Logs, error texts and failed tests print values by these.
extension RotatingBeaconKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "‹key›" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
