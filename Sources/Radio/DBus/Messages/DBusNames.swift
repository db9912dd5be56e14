import CDBus

/// Checks of outgoing messages: libdbus aborts the process if one of these rules is broken (`_dbus_return_if_fail`), so
/// every text is checked before it is passed to libdbus.
enum DBusNames {
    static func check(path: String) throws(DBusError) {
        try check(path, "an object path", dbus_validate_path)
    }

    static func check(interface: String) throws(DBusError) {
        try check(interface, "an interface", dbus_validate_interface)
    }

    static func check(member: String) throws(DBusError) {
        try check(member, "a member", dbus_validate_member)
    }

    static func check(busName: String) throws(DBusError) {
        try check(busName, "a bus name", dbus_validate_bus_name)
    }

    static func check(errorName: String) throws(DBusError) {
        try check(errorName, "an error's name", dbus_validate_error_name)
    }

    /// - Parameter isSingle: whether exactly one complete type is required.
    static func check(signature: String, isSingle: Bool = false) throws(DBusError) {
        try check(signature, "a signature", isSingle ? dbus_signature_validate_single : dbus_signature_validate)
    }

    /// Checks that a text has no NUL; a Swift string is already valid UTF-8.
    static func check(text: String) throws(DBusError) {
        guard !text.utf8.contains(0) else { throw .notSendable("D-Bus carries no text with a NUL character") }
    }

    private typealias Rule = (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBus.DBusError>?) -> dbus_bool_t

    private static func check(_ text: String, _ kind: String, _ rule: Rule) throws(DBusError) {
        guard !text.utf8.contains(0), rule(text, nil) != 0 else {
            throw .notSendable("‘\(text)’ is not \(kind) that D-Bus allows")
        }
    }
}
