/// The 128-bit proximity UUID of an iBeacon, as transmitted: big-endian, without version or variant.
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
    public init?(_ text: some StringProtocol) { self.init(ascii: text.utf8) }

    /// Parses the same as bytes, without a string.
    @inlinable
    package init?(ascii text: some Sequence<UInt8>) {
        guard let value = UUIDText.value(of: text) else { return nil }
        self.init(high: UInt64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
    }
}

extension ProximityUUID: CustomStringConvertible {
    /// Upper case, grouped 8-4-4-4-12, as beacon makers and Apple print it.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { text in
            UUIDText.write(UInt128(high) << 64 | UInt128(low), uppercase: true, to: text)
            return 36
        }
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
