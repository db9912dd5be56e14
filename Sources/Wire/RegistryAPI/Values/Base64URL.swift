import FoundationEssentials
import Syntax

/// Bytes that are written as URL-safe Base64 without padding (RFC 4648, section 5), as browsers do for passkeys.
public struct Base64URL: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Reads the text; nil if it has padding, other characters, or an impossible length.
    public init?(ascii text: some Collection<UInt8>) {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        // The bits that do not fill a byte yet, and how many there are.
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            guard let value = Self.value(of: character) else { return nil }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        // Each sequence of bytes has one text: the unused bits are zero.
        guard bits & (1 << UInt32(count) - 1) == 0 else { return nil }
        self.bytes = bytes
    }

    /// Reads the text in the same way.
    public init?(_ text: String) { self.init(ascii: text.utf8) }

    /// The bytes as Base64.
    public var text: String {
        Data(bytes).base64EncodedString().replacing(scalars: ["+": "-", "/": "_", "=": ""])
    }

    /// The six bits that a character stands for; nil for any other character.
    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

extension Base64URL: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Base64URL(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not URL-safe Base64")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Base64URL: SchemaDescribed {
    public static var schema: JSONSchema { schema(0...Int.max) }
    public static var specimen: Base64URL { Base64URL([]) }

    /// - Parameter length: the permitted numbers of bytes.
    static func schema(_ length: ClosedRange<Int>) -> JSONSchema {
        // The pattern excludes lengths that no number of bytes gives.
        var schema = JSONSchema.type(
            "string", ["pattern": "^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$"])
        if length.lowerBound > 0 { schema.keywords["minLength"] = .integer(Int64(characters(length.lowerBound))) }
        if length.upperBound < Int.max { schema.keywords["maxLength"] = .integer(Int64(characters(length.upperBound))) }
        return schema
    }

    /// The number of characters for a number of bytes.
    private static func characters(_ bytes: Int) -> Int { (bytes * 4 + 2) / 3 }
}

/// A number of bytes as URL-safe Base64.
struct Base64Rule: ValueRule {
    let length: ClosedRange<Int>

    var expectation: String { "\(length.lowerBound) to \(length.upperBound) bytes as URL-safe Base64 without padding" }

    func schema(_ context: FieldContext) -> JSONSchema { Base64URL.schema(length) }

    func read(_ token: Int, _ reader: inout FieldReader) -> Base64URL? {
        guard reader.text.isString(token), let value = Base64URL(ascii: reader.text.characters(token)),
            length.contains(value.bytes.count)
        else { return reader.refuse(token, self) }
        return value
    }

    func write(_ value: Base64URL, to json: inout JSONWriter) { json.string(value.text) }
}

extension ValueRule where Self == Base64Rule {
    static func base64(_ length: ClosedRange<Int>) -> Base64Rule { Base64Rule(length: length) }
}
