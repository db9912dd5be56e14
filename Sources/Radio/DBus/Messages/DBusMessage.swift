import CDBus
import Glibc

/// A message held by libdbus and read in place. Not Sendable: it stays on the connection's queue.
public final class DBusMessage {
    let pointer: OpaquePointer

    /// Takes over the caller's reference.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Adds a reference to a message borrowed from libdbus.
    init(borrowing pointer: OpaquePointer) {
        self.pointer = dbus_message_ref(pointer)
    }

    deinit { dbus_message_unref(pointer) }

    /// Parses a message's bytes, header included; libdbus validates all of it.
    convenience init(bytes: [UInt8]) throws(DBusError) {
        var problem = CDBus.DBusError()
        dbus_error_init(&problem)
        defer { dbus_error_free(&problem) }
        let pointer = bytes.withUnsafeBytes { raw in
            dbus_message_demarshal(
                raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: raw.count), &problem)
        }
        guard let pointer else { throw .unexpected("not a D-Bus message: \(problem.text)") }
        self.init(owning: pointer)
    }

    /// The marshalled message, header included.
    func marshalled() throws(DBusError) -> [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        guard dbus_message_marshal(pointer, &start, &count) != 0, let start else { throw .outOfMemory }
        defer { dbus_free(start) }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
}

extension DBusMessage {
    public var path: String { text(dbus_message_get_path(pointer)) }
    public var interface: String { text(dbus_message_get_interface(pointer)) }
    public var member: String { text(dbus_message_get_member(pointer)) }
    /// The sender's unique name, such as `:1.42`, which is set by the bus and cannot be forged by a client.
    public var sender: String { text(dbus_message_get_sender(pointer)) }
    /// The signature of all arguments.
    public var signature: String { text(dbus_message_get_signature(pointer)) }

    /// Calls `body` with the object path, without copying it.
    public func withPath<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(cString: dbus_message_get_path(pointer)))
    }

    /// A reader, positioned at the first argument.
    public var arguments: DBusMessageReader { DBusMessageReader(self) }

    /// All arguments as values.
    public func decodedArguments() throws(DBusError) -> [DBusValue] {
        var reader = arguments
        return try reader.remainingValues()
    }

    /// The error that this message contains.
    var error: DBusError {
        var reader = arguments
        let words = (try? reader.remainingValues())?.first?.text
        return .remote(name: text(dbus_message_get_error_name(pointer)), message: words ?? "")
    }

    private func text(_ start: UnsafePointer<CChar>?) -> String {
        start.map { String(cString: $0) } ?? ""
    }
}

extension CDBus.DBusError {
    /// libdbus's message, or its name for the error.
    var text: String {
        guard let words = message ?? name else { return "unknown error" }
        return String(cString: words)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes of a C string; empty if it is null.
    init(cString: UnsafePointer<CChar>?) {
        guard let cString else {
            self.init(start: nil, count: 0)
            return
        }
        let raw = UnsafeRawPointer(cString)
        self.init(start: raw.assumingMemoryBound(to: UInt8.self), count: strlen(cString))
    }
}
