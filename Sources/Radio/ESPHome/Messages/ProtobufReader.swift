import Beacons

/// One field of a protobuf message.
struct ProtobufField: Equatable {
    enum Value: Equatable {
        /// An integer, a boolean or an enumeration.
        case number(UInt64)
        /// Bytes, a text or another message: where they are in the bytes that are read.
        case bytes(Range<Int>)
        /// A number of fixed width; no message here has one.
        case fixed
    }

    let number: UInt64
    let value: Value
}

/// Iterates over the fields of a protobuf message (https://protobuf.dev/programming-guides/encoding/) in linear time,
/// without copying any of it.
struct ProtobufReader {
    struct Malformed: Error {}

    private var position: Int
    private let end: Int

    /// - Parameter range: where the message is in the bytes that are given to ``next(in:)``.
    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next field; nil at the end.
    mutating func next(in bytes: RawSpan) throws(Malformed) -> ProtobufField? {
        guard position < end else { return nil }
        let tag = try varint(in: bytes)
        // A field's number has 29 bits, and the type of its value has three.
        guard tag >> 3 > 0, tag <= UInt32.max else { throw Malformed() }
        return ProtobufField(number: tag >> 3, value: try value(ofType: tag & 7, in: bytes))
    }

    private mutating func value(ofType type: UInt64, in bytes: RawSpan) throws(Malformed) -> ProtobufField.Value {
        switch type {
        case 0: return .number(try varint(in: bytes))
        case 2: return .bytes(try take(try varint(in: bytes)))
        case 1:
            _ = try take(8)
            return .fixed
        case 5:
            _ = try take(4)
            return .fixed
        // Types 3 and 4 are groups, which proto3 does not have.
        default: throw Malformed()
        }
    }

    private mutating func varint(in bytes: RawSpan) throws(Malformed) -> UInt64 {
        guard position < end else { throw Malformed() }
        let first = bytes[byte: position]
        position += 1
        // Most numbers here have one byte.
        guard first >= 0x80 else { return UInt64(first) }
        var value = UInt64(first & 0x7F)
        var shift = 7
        while true {
            guard position < end else { throw Malformed() }
            let byte = bytes[byte: position]
            position += 1
            // 64 bits end in the lowest bit of the tenth byte.
            guard shift < 63 || byte < 2 else { throw Malformed() }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    private mutating func take(_ count: UInt64) throws(Malformed) -> Range<Int> {
        guard count <= end - position else { throw Malformed() }
        let start = position
        position += Int(count)
        return start..<position
    }
}

extension Int32 {
    /// Decodes a number of the type `sint32`, whose lowest bit is the sign.
    init(zigzag value: UInt64) {
        let bits = UInt32(truncatingIfNeeded: value)
        self = Int32(bitPattern: bits >> 1) ^ -Int32(bits & 1)
    }
}
