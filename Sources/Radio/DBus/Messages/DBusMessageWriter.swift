import CDBus

/// Appends values to a new message.
final class DBusMessageWriter {
    /// The maximum nesting depth; D-Bus allows 32 arrays and 32 structures, and no interface here needs more.
    static let depthLimit = 32
    /// The maximum size of one message's arguments in bytes; the bus rejects more than 128 MiB and disconnects the
    /// sender.
    static let sizeLimit = 32 << 20

    /// An upper estimate of the arguments' size in bytes.
    private var size = 0

    /// Appends the arguments of a message.
    ///
    /// - Throws: ``DBusError/notSendable(_:)`` if D-Bus cannot carry them.
    static func append(_ values: [DBusValue], to message: DBusMessage) throws(DBusError) {
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message.pointer, &iterator)
        let writer = DBusMessageWriter()
        for value in values { try writer.append(value, to: &iterator, depth: 0) }
    }

    private func append(
        _ value: DBusValue, to iterator: inout DBusMessageIter, depth: Int
    ) throws(DBusError) {
        guard depth <= Self.depthLimit else { throw .notSendable("values are nested more than 32 levels deep") }
        // More than the header of any value needs.
        try count(8)
        switch value {
        case .byte(let value): try append(value, DBusType.byte, to: &iterator)
        case .boolean(let value): try append(dbus_bool_t(value ? 1 : 0), DBusType.boolean, to: &iterator)
        case .int16(let value): try append(value, DBusType.int16, to: &iterator)
        case .uint16(let value): try append(value, DBusType.uint16, to: &iterator)
        case .int32(let value): try append(value, DBusType.int32, to: &iterator)
        case .uint32(let value): try append(value, DBusType.uint32, to: &iterator)
        case .int64(let value): try append(value, DBusType.int64, to: &iterator)
        case .uint64(let value): try append(value, DBusType.uint64, to: &iterator)
        case .double(let value): try append(value, DBusType.double, to: &iterator)
        case .string, .objectPath, .signature: try append(text: value, to: &iterator)
        case .bytes(let bytes): try append(bytes: bytes, to: &iterator)
        case .array, .dictionary, .structure, .variant: try append(container: value, to: &iterator, depth: depth)
        }
    }

    /// Adds to the size, and throws if the message gets too large.
    private func count(_ bytes: Int) throws(DBusError) {
        size += bytes
        guard size <= Self.sizeLimit else { throw .notSendable("the message is larger than \(Self.sizeLimit) bytes") }
    }

    private func append<Value: BitwiseCopyable>(
        _ value: Value, _ type: UInt8, to iterator: inout DBusMessageIter
    ) throws(DBusError) {
        var value = value
        guard dbus_message_iter_append_basic(&iterator, Int32(type), &value) != 0 else { throw .outOfMemory }
    }

    private func append(text value: DBusValue, to iterator: inout DBusMessageIter) throws(DBusError) {
        let text = value.text ?? ""
        try count(text.utf8.count)
        let type: UInt8
        switch value {
        case .objectPath:
            try DBusNames.check(path: text)
            type = DBusType.path
        case .signature:
            try DBusNames.check(signature: text)
            type = DBusType.signature
        default:
            try DBusNames.check(text: text)
            type = DBusType.string
        }
        let isAppended = text.withCString { start in
            var start: UnsafePointer<CChar>? = start
            return dbus_message_iter_append_basic(&iterator, Int32(type), &start) != 0
        }
        guard isAppended else { throw .outOfMemory }
    }

    private func append(bytes: [UInt8], to iterator: inout DBusMessageIter) throws(DBusError) {
        try count(bytes.count)
        try inside(&iterator, type: DBusType.array, signature: "y") { (inner) throws(DBusError) in
            let isAppended = bytes.withUnsafeBufferPointer { buffer in
                guard var start = buffer.baseAddress else { return true }
                return dbus_message_iter_append_fixed_array(
                    &inner, Int32(DBusType.byte), &start, Int32(clamping: buffer.count)) != 0
            }
            guard isAppended else { throw .outOfMemory }
        }
    }
}

// Containers.
extension DBusMessageWriter {
    private func append(
        container: DBusValue, to iterator: inout DBusMessageIter, depth: Int
    ) throws(DBusError) {
        let depth = depth + 1
        switch container {
        case .array(let element, let values):
            try append(values, of: element, to: &iterator, depth: depth)
        case .dictionary(let key, let value, let entries):
            try append(entries, key: key, value: value, to: &iterator, depth: depth)
        case .structure(let fields):
            guard !fields.isEmpty else { throw .notSendable("a structure needs at least one field") }
            try inside(&iterator, type: DBusType.structure, signature: nil) { (inner) throws(DBusError) in
                for field in fields { try append(field, to: &inner, depth: depth) }
            }
        case .variant(let value):
            try DBusNames.check(signature: value.signature, isSingle: true)
            try inside(&iterator, type: DBusType.variant, signature: value.signature) { (inner) throws(DBusError) in
                try append(value, to: &inner, depth: depth)
            }
        default:
            return
        }
    }

    private func append(
        _ values: [DBusValue], of element: String, to iterator: inout DBusMessageIter, depth: Int
    ) throws(DBusError) {
        try DBusNames.check(signature: element, isSingle: true)
        if let wrong = values.first(where: { $0.signature != element }) {
            throw .notSendable("an array of ‘\(element)’ cannot hold a value of type ‘\(wrong.signature)’")
        }
        try inside(&iterator, type: DBusType.array, signature: element) { (inner) throws(DBusError) in
            for value in values { try append(value, to: &inner, depth: depth) }
        }
    }

    private func append(
        _ entries: [DBusValue.Entry], key: String, value: String, to iterator: inout DBusMessageIter, depth: Int
    ) throws(DBusError) {
        try DBusNames.check(signature: "a{\(key)\(value)}", isSingle: true)
        guard entries.allSatisfy({ $0.key.signature == key && $0.value.signature == value }) else {
            throw .notSendable("an entry of a dictionary does not have its types ‘\(key)’ and ‘\(value)’")
        }
        try inside(&iterator, type: DBusType.array, signature: "{\(key)\(value)}") { (inner) throws(DBusError) in
            for entry in entries {
                try inside(&inner, type: DBusType.entry, signature: nil) { (pair) throws(DBusError) in
                    try append(entry.key, to: &pair, depth: depth)
                    try append(entry.value, to: &pair, depth: depth)
                }
            }
        }
    }

    /// Opens a container, lets `body` append its content, and closes it; abandons it if `body` throws.
    private func inside(
        _ iterator: inout DBusMessageIter,
        type: UInt8,
        signature: String?,
        _ body: (inout DBusMessageIter) throws(DBusError) -> Void
    ) throws(DBusError) {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, Int32(type), signature, &inner) != 0 else {
            throw .outOfMemory
        }
        do {
            try body(&inner)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        guard dbus_message_iter_close_container(&iterator, &inner) != 0 else { throw .outOfMemory }
    }
}
