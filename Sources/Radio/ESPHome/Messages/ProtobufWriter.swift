import Foundation

/// Writes the fields of a protobuf message.
struct ProtobufWriter {
    private(set) var message = Data()

    /// Writes an integer, a boolean or an enumeration; not a zero, which is what an absent field means.
    mutating func number(_ field: UInt64, _ value: UInt64) {
        guard value != 0 else { return }
        message.append(varint: field << 3)
        message.append(varint: value)
    }

    /// Writes bytes, a text or another message, even if it is empty.
    mutating func bytes(_ field: UInt64, _ value: some Collection<UInt8>) {
        message.append(varint: field << 3 | 2)
        message.append(varint: UInt64(value.count))
        message.append(contentsOf: value)
    }
}

extension Data {
    /// Appends a number as groups of seven bits, the lowest first.
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest > 0x7F {
            append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
