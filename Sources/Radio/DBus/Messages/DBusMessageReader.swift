import CDBus
import Glibc

/// Iterates over a message's arguments without creating values: they are read in place.
///
/// It keeps its message alive. Every access checks the type first and returns nil for another type. Received messages
/// were validated by libdbus: types, lengths, text and nesting (at most 64 levels).
///
/// ```swift
/// var reader = message.arguments                       // sa{sv}as
/// guard reader.isText("org.bluez.Device1"), reader.next() else { return }
/// reader.forEachEntry { key, value in
///     if key.isText("RSSI") { rssi = value.int16 }     // the variant is already unwrapped
/// }
/// ```
public struct DBusMessageReader {
    private let message: DBusMessage
    private var iterator = DBusMessageIter()

    init(_ message: DBusMessage) {
        self.message = message
        dbus_message_iter_init(message.pointer, &iterator)
    }

    private init(_ message: DBusMessage, _ iterator: DBusMessageIter) {
        self.message = message
        self.iterator = iterator
    }

    /// The type of the current value (`s`, `a`, `v`, `(`, `{` …), or zero after the last.
    public var type: UInt8 { typeCode }

    /// Moves to the next value; false after the last.
    @discardableResult
    public mutating func next() -> Bool { dbus_message_iter_next(&iterator) != 0 }

    /// A reader of the contents of an array, structure, dictionary entry or variant; nil for a basic value.
    public var contents: DBusMessageReader? {
        switch typeCode {
        case DBusType.array, DBusType.structure, DBusType.entry, DBusType.variant: break
        default: return nil
        }
        var inner = DBusMessageIter()
        read { dbus_message_iter_recurse($0, &inner) }
        return DBusMessageReader(message, inner)
    }

    /// The type of an array's elements.
    var elementType: UInt8 {
        UInt8(truncatingIfNeeded: read(dbus_message_iter_get_element_type))
    }

    private var typeCode: UInt8 {
        UInt8(truncatingIfNeeded: read(dbus_message_iter_get_arg_type))
    }

    /// Passes the iterator to a libdbus function that only reads it, although its declaration is not const.
    private func read<Result>(_ body: (UnsafeMutablePointer<DBusMessageIter>) -> Result) -> Result {
        withUnsafePointer(to: iterator) { body(UnsafeMutablePointer(mutating: $0)) }
    }

    /// The signature of the current value.
    var signature: String? {
        guard let start = read(dbus_message_iter_get_signature) else { return nil }
        defer { dbus_free(start) }
        return String(cString: start)
    }
}

extension DBusMessageReader {
    public var byte: UInt8? { basic(DBusType.byte, UInt8(0)) }
    public var int16: Int16? { basic(DBusType.int16, Int16(0)) }
    public var uint16: UInt16? { basic(DBusType.uint16, UInt16(0)) }
    public var int32: Int32? { basic(DBusType.int32, Int32(0)) }
    public var uint32: UInt32? { basic(DBusType.uint32, UInt32(0)) }
    public var int64: Int64? { basic(DBusType.int64, Int64(0)) }
    public var uint64: UInt64? { basic(DBusType.uint64, UInt64(0)) }
    public var double: Double? { basic(DBusType.double, Double(0)) }
    public var boolean: Bool? { basic(DBusType.boolean, dbus_bool_t(0)).map { $0 != 0 } }
    /// A copy of the text of a string, an object path or a signature.
    public var text: String? { withText { String(decoding: $0, as: UTF8.self) } }

    /// Calls `body` with the bytes of a string, an object path or a signature, without copying them.
    public func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        switch typeCode {
        case DBusType.string, DBusType.path, DBusType.signature: break
        default: return nil
        }
        var start: UnsafePointer<CChar>?
        read { dbus_message_iter_get_basic($0, &start) }
        return body(UnsafeBufferPointer(cString: start))
    }

    /// Whether the value equals this text.
    public func isText(_ text: StaticString) -> Bool {
        withText { bytes in
            bytes.elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        } ?? false
    }

    /// Calls `body` with the bytes of an `ay`, without copying them.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        guard typeCode == DBusType.array, elementType == DBusType.byte else { return nil }
        var inner = DBusMessageIter()
        read { dbus_message_iter_recurse($0, &inner) }
        var start: UnsafePointer<UInt8>?
        var count: Int32 = 0
        dbus_message_iter_get_fixed_array(&inner, &start, &count)
        return body(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    /// Calls `body` with the key and the value of each entry of a dictionary; a variant is unwrapped.
    public func forEachEntry(_ body: (_ key: DBusMessageReader, _ value: DBusMessageReader) -> Void) {
        guard typeCode == DBusType.array, elementType == DBusType.entry, var entries = contents else { return }
        while let key = entries.contents {
            var value = key
            value.next()
            body(key, value.unwrapped)
            entries.next()
        }
    }

    /// Calls `body` with the entries of a dictionary that have one of these keys: the index of the key, and the value,
    /// with a variant unwrapped. Fast for a few of many properties.
    public func forEachEntry(of keys: DBusKeys, _ body: (_ key: Int, _ value: DBusMessageReader) -> Void) {
        guard typeCode == DBusType.array, elementType == DBusType.entry, var entries = contents else { return }
        while var entry = entries.contents {
            if let key = entry.index(among: keys) {
                entry.next()
                body(key, entry.unwrapped)
            }
            entries.next()
        }
    }

    /// The content of a variant, or the value itself.
    private var unwrapped: DBusMessageReader {
        guard type == DBusType.variant, let inner = contents else { return self }
        return inner
    }

    /// The position of a text among the keys; nil if the value is another text, or none.
    private mutating func index(among keys: DBusKeys) -> Int? {
        guard dbus_message_iter_get_arg_type(&iterator) == Int32(DBusType.string) else { return nil }
        var start: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &start)
        guard let start else { return nil }
        return keys.index(of: start)
    }

    /// Calls `body` with each element of an array.
    public func forEachElement(_ body: (DBusMessageReader) -> Void) {
        guard typeCode == DBusType.array, var elements = contents else { return }
        while elements.type != DBusType.end {
            body(elements)
            elements.next()
        }
    }

    /// The current value, if it has this type. `initial` only has the value's type in Swift.
    private func basic<Value: BitwiseCopyable>(_ type: UInt8, _ initial: Value) -> Value? {
        guard typeCode == type else { return nil }
        var value = initial
        read { dbus_message_iter_get_basic($0, &value) }
        return value
    }
}

/// The names of properties or interfaces to look up.
public struct DBusKeys: Sendable {
    private let keys: [StaticString]

    public init(_ keys: StaticString...) {
        self.keys = keys
    }

    /// Static strings end with a NUL.
    fileprivate func index(of text: UnsafePointer<CChar>) -> Int? {
        keys.firstIndex { strcmp(text, UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self)) == 0 }
    }
}

/// Type codes (D-Bus Specification, “Summary of types”); libdbus's macros for them are not imported into Swift.
enum DBusType {
    static let end: UInt8 = 0
    static let array = UInt8(ascii: "a")
    static let boolean = UInt8(ascii: "b")
    static let byte = UInt8(ascii: "y")
    static let double = UInt8(ascii: "d")
    static let entry = UInt8(ascii: "e")
    static let int16 = UInt8(ascii: "n")
    static let int32 = UInt8(ascii: "i")
    static let int64 = UInt8(ascii: "x")
    static let path = UInt8(ascii: "o")
    static let signature = UInt8(ascii: "g")
    static let string = UInt8(ascii: "s")
    static let structure = UInt8(ascii: "r")
    static let uint16 = UInt8(ascii: "q")
    static let uint32 = UInt8(ascii: "u")
    static let uint64 = UInt8(ascii: "t")
    static let variant = UInt8(ascii: "v")
}
