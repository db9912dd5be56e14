import FoundationEssentials
import NIOCore
import RegistryAPI

/// JSON as the server sends it.
///
/// Values that the server sends often, such as the results of visits, write themselves (``JSONWritable``), in about a
/// tenth of `JSONEncoder`'s time. `JSONEncoder` writes the others, in the same form.
enum JSONBody {
    /// Encodes a value; the same value always gives the same bytes.
    static func encode(_ value: some Encodable) throws -> ByteBuffer {
        if let value = value as? any JSONWritable {
            var json = JSONWriter()
            value.write(to: &json)
            return ByteBuffer(bytes: json.bytes)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ByteBuffer(bytes: try encoder.encode(value))
    }

    /// The JSON that the server would send, for the contract; empty if the value cannot be encoded.
    static func bytes(_ value: some Encodable) -> [UInt8] {
        (try? encode(value)).map { Array($0.readableBytesView) } ?? []
    }

    /// The same as a value; nil if the value cannot be encoded.
    static func value(_ value: some Encodable) -> JSONValue? { JSONValue(text: bytes(value)) }
}
