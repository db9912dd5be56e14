import Crypto

/// A SHA-256 value: 32 bytes, written as 64 lower-case hexadecimal digits.
public struct HashValue: Hashable, Sendable {
    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    /// Returns nil unless there are exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// The hash of the content.
    public init(of content: [UInt8]) {
        bytes = SHA256.hash(data: content).withUnsafeBytes { Array($0) }
    }

    /// The chain hash before the first entry of a chain: 32 zero bytes.
    public static let zero = HashValue(zeros: ())

    private init(zeros: ()) { bytes = Array(repeating: 0, count: SHA256.byteCount) }
}

extension HashValue: CustomStringConvertible, LosslessStringConvertible {
    public var description: String { Hexadecimal.text(bytes) }

    /// Parses exactly 64 lower-case digits, so that each value has only one text.
    public init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }
}

extension HashValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = HashValue(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not 64 hexadecimal digits")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Bytes as pairs of lower-case hexadecimal digits.
public enum Hexadecimal {
    @usableFromInline
    static let digits = Array("0123456789abcdef".utf8)

    /// Two digits for each byte.
    @inlinable
    public static func text(_ bytes: some Collection<UInt8>) -> String {
        let count = 2 * bytes.count
        return String(unsafeUninitializedCapacity: count) { text in
            for (index, byte) in zip(stride(from: 0, to: count, by: 2), bytes) {
                text[index] = digits[Int(byte >> 4)]
                text[index + 1] = digits[Int(byte & 15)]
            }
            return count
        }
    }

    /// Parses digits; nil if a character is not a digit or the number of digits is odd.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.compactMap { byte in digits.firstIndex(of: byte).map(UInt8.init) }
        guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
