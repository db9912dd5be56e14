/// A value of any D-Bus type except file descriptors (D-Bus Specification, “Type System”).
public enum DBusValue: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// `ay`, which is never an ``array(of:_:)``.
    case bytes([UInt8])
    /// Elements that all have the given signature; an empty array has a type too.
    case array(of: String, [DBusValue])
    /// `a{…}`: the signatures of keys and values, then the entries in the order in which they were sent.
    case dictionary(key: String, value: String, [Entry])
    /// At least one field.
    case structure([DBusValue])
    indirect case variant(DBusValue)

    /// One entry of a dictionary. D-Bus allows duplicate keys.
    public struct Entry: Hashable, Sendable {
        public let key: DBusValue
        public let value: DBusValue

        public init(_ key: DBusValue, _ value: DBusValue) {
            self.key = key
            self.value = value
        }
    }

    /// The D-Bus signature, such as `a{sv}`.
    public var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .bytes: "ay"
        case .array(let element, _): "a\(element)"
        case .dictionary(let key, let value, _): "a{\(key)\(value)}"
        case .structure(let fields): "(\(fields.map(\.signature).joined()))"
        case .variant: "v"
        }
    }
}

extension DBusValue {
    /// An `a{sv}` of the given properties, sorted by name.
    public static func properties(_ properties: [String: DBusValue]) -> DBusValue {
        let entries = properties.sorted { $0.key < $1.key }.map { Entry(.string($0.key), .variant($0.value)) }
        return .dictionary(key: "s", value: "v", entries)
    }

    /// An array of strings, `as`.
    public static func strings(_ strings: [String]) -> DBusValue {
        .array(of: "s", strings.map(DBusValue.string))
    }

    /// The content of a variant, or the value itself.
    public var unwrapped: DBusValue {
        guard case .variant(let value) = self else { return self }
        return value.unwrapped
    }

    /// The text of a string, an object path or a signature; nil for any other value. This and the properties below see
    /// through variants.
    public var text: String? {
        switch unwrapped {
        case .string(let text), .objectPath(let text), .signature(let text): text
        default: nil
        }
    }

    public var boolean: Bool? {
        guard case .boolean(let value) = unwrapped else { return nil }
        return value
    }

    /// The value of any integer type, if it fits.
    public var integer: Int? {
        switch unwrapped {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(exactly: value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The elements of an array, or the fields of a structure.
    public var elements: [DBusValue]? {
        switch unwrapped {
        case .array(_, let elements), .structure(let elements): elements
        default: nil
        }
    }

    /// A dictionary with text keys: variants are unwrapped, and the last of equal keys is used.
    public var properties: [String: DBusValue]? {
        guard case .dictionary(_, _, let entries) = unwrapped else { return nil }
        return entries.reduce(into: [:]) { result, entry in
            if let key = entry.key.text { result[key] = entry.value.unwrapped }
        }
    }
}
