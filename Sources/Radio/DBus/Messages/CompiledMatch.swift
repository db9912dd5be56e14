import CDBus
import Glibc
import Syntax

/// A match rule as C strings, compared with each signal in place.
final class CompiledMatch {
    private let path: CText?
    private let pathNamespace: CText?
    private let interface: CText?
    private let member: CText?
    private let argument0: String?
    private let sender: TrackedName?

    init(_ match: DBusMatch, sender: TrackedName?) {
        path = match.path.map(CText.init)
        pathNamespace = match.pathNamespace.map(CText.init)
        interface = match.interface.map(CText.init)
        member = match.member.map(CText.init)
        argument0 = match.argument0
        self.sender = sender
    }

    /// Whether the signal matches. The member is compared first, because it decides most often.
    func matches(_ message: OpaquePointer, _ head: SignalHead) -> Bool {
        if let member, !member.equals(head.member) { return false }
        if let interface, !interface.equals(head.interface) { return false }
        if let path, !path.equals(head.path) { return false }
        if let pathNamespace, !pathNamespace.contains(path: head.path) { return false }
        if let sender, !sender.isOwner(head.sender) { return false }
        guard let argument0 else { return true }
        return DBusMessage(borrowing: message).arguments.text == argument0
    }
}

/// A signal's header fields, borrowed from libdbus and looked up once for all rules.
struct SignalHead {
    let member: UnsafePointer<CChar>?
    let interface: UnsafePointer<CChar>?
    let path: UnsafePointer<CChar>?
    let sender: UnsafePointer<CChar>?

    init(_ message: OpaquePointer) {
        member = dbus_message_get_member(message)
        interface = dbus_message_get_interface(message)
        path = dbus_message_get_path(message)
        sender = dbus_message_get_sender(message)
    }
}

/// A bus name whose signals are matched, and its current owner.
final class TrackedName {
    let name: String
    /// The unique name from which signals come. The bus itself and unique names are their own owners.
    var owner: CText?

    init(_ name: String) {
        self.name = name
        owner = isWellKnown ? nil : CText(name)
    }

    /// Whether it is a well-known name, whose owner changes.
    var isWellKnown: Bool { !name.begins(with: ":") && name != DBusCall.busName }

    /// Whether a signal's sender is the current owner.
    func isOwner(_ sender: UnsafePointer<CChar>?) -> Bool {
        owner?.equals(sender) ?? false
    }
}

/// An owned copy of a C string.
struct CText: Sendable {
    /// The bytes and the zero after them.
    private let characters: [CChar]

    init(_ text: String) { characters = Array(text.utf8CString) }

    func equals(_ other: UnsafePointer<CChar>?) -> Bool {
        guard let other else { return false }
        return strcmp(characters, other) == 0
    }

    /// Whether the path is this path or is below it.
    func contains(path: UnsafePointer<CChar>?) -> Bool {
        let count = characters.count - 1
        guard let path, strncmp(characters, path, count) == 0 else { return false }
        return path[count] == 0 || path[count] == CChar(bitPattern: UInt8(ascii: "/"))
    }
}
