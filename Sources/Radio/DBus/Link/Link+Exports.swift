import CDBus
import Syntax

/// An object that peers can call.
struct Export {
    let token: UInt64
    let interfaces: [DBusInterface]
    let managesObjects: Bool

    /// `a{sa{sv}}`: each interface with its properties.
    var interfacesAndProperties: DBusValue {
        .dictionary(
            key: "s", value: "a{sv}",
            interfaces.map { DBusValue.Entry(.string($0.name), .properties($0.properties())) }
        )
    }
}

extension Link {
    /// Exports an object, and announces it through the object manager above it, if there is one.
    func export(_ export: Export, at path: String) throws(DBusError) {
        _ = try usableConnection()
        try DBusNames.check(path: path)
        for interface in export.interfaces { try DBusNames.check(interface: interface.name) }
        guard exports[path] == nil else { throw .notSendable("an object is already exported at \(path)") }
        exports[path] = export
        guard let manager = manager(of: path) else { return }
        try emit(
            at: manager, ObjectManager.name, "InterfacesAdded",
            [.objectPath(path), export.interfacesAndProperties]
        )
    }

    /// Removes an object, unless another one has been exported at its path since.
    func unexport(_ path: String, _ token: UInt64) {
        guard let export = exports[path], export.token == token else { return }
        exports[path] = nil
        guard let manager = manager(of: path) else { return }
        try? emit(
            at: manager, ObjectManager.name, "InterfacesRemoved",
            [.objectPath(path), .strings(export.interfaces.map(\.name))]
        )
    }

    /// Sends a signal of the object at a path.
    func emit(at path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]) throws(DBusError) {
        try DBusNames.check(path: path)
        try DBusNames.check(interface: interface)
        try DBusNames.check(member: member)
        guard let pointer = dbus_message_new_signal(path, interface, member) else { throw .outOfMemory }
        let message = DBusMessage(owning: pointer)
        try DBusMessageWriter.append(arguments, to: message)
        try send(message)
    }

    /// The path of an exported object manager above a path.
    private func manager(of path: String) -> String? {
        exports.first { $0.value.managesObjects && isBelow($0.key, path) }?.key
    }

    /// Whether a path is below a parent, and not the parent itself.
    func isBelow(_ parent: String, _ path: String) -> Bool {
        path != parent && path.begins(with: parent == "/" ? "/" : parent + "/")
    }

    /// Replies to a call. Calls to other objects are left to libdbus, which rejects them.
    func serve(_ raw: OpaquePointer) -> Bool {
        let message = DBusMessage(borrowing: raw)
        guard exports[message.path] != nil || exports.keys.contains(where: { isBelow(message.path, $0) }) else {
            return false
        }
        let outcome: Result<[DBusValue], any Error> = Result { try results(of: message) }
        if dbus_message_get_no_reply(raw) == 0 { reply(to: message, outcome) }
        return true
    }

    private func reply(to call: DBusMessage, _ outcome: Result<[DBusValue], any Error>) {
        do {
            guard let pointer = dbus_message_new_method_return(call.pointer) else { return }
            let message = DBusMessage(owning: pointer)
            try DBusMessageWriter.append(outcome.get(), to: message)
            try send(message)
        } catch {
            refuse(call, error)
        }
    }

    /// Replies with an error.
    private func refuse(_ call: DBusMessage, _ error: any Error) {
        var name = DBusErrorName.failed
        var words = "\(error)"
        if case DBusError.remote(let remoteName, let message) = error,
            (try? DBusNames.check(errorName: remoteName)) != nil
        {
            name = remoteName
            words = message
        }
        words.removeAll { $0 == "\0" }
        guard let pointer = dbus_message_new_error(call.pointer, name, words) else { return }
        // The caller may have disconnected in the meantime.
        _ = try? send(DBusMessage(owning: pointer))
    }
}
