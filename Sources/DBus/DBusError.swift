/// Why something on the bus did not work.
public enum DBusError: Error, Hashable, Sendable {
    /// The peer, or the bus on its behalf, answered with an error: its name (`org.bluez.Error.NotReady`) and its words.
    case remote(name: String, message: String)
    /// No answer came in time. The call may still have had its effect.
    case timedOut(member: String, after: Duration)
    /// The bus is gone; nothing more will arrive on this connection.
    case disconnected(reason: String)
    /// The bus could not be reached.
    case cannotConnect(address: String, reason: String)
    /// Something that D-Bus cannot carry was to be sent; nothing was.
    case notSendable(String)
    /// A message arrived that does not have the expected shape.
    case unexpected(String)
    /// Another connection owns the name.
    case nameTaken(String)

    /// The error's name where a peer answered with one.
    public var name: String? {
        guard case .remote(let name, _) = self else { return nil }
        return name
    }

    static let outOfMemory = DBusError.notSendable("libdbus has no memory for the message")
}

extension DBusError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .remote(let name, let message): message.isEmpty ? name : "\(message) (\(name))"
        case .timedOut(let member, let limit): "\(member) was not answered within \(limit)"
        case .disconnected(let reason): "the connection to the bus is closed: \(reason)"
        case .cannotConnect(let address, let reason): "cannot connect to \(address): \(reason)"
        case .notSendable(let reason): reason
        case .unexpected(let reason): reason
        case .nameTaken(let name): "the name \(name) belongs to another program; stop that one first"
        }
    }
}

/// Names of errors that peers and the bus answer with (D-Bus Specification, `org.freedesktop.DBus.Error`).
public enum DBusErrorName {
    public static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    public static let failed = "org.freedesktop.DBus.Error.Failed"
    public static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    public static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
    public static let propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
    public static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
    public static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
    public static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    public static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    public static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
}
