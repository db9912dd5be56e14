/// The reason why an operation on the bus failed.
public enum DBusError: Error, Hashable, Sendable {
    /// The peer, or the bus on its behalf, replied with an error: its name (`org.bluez.Error.NotReady`) and its
    /// message.
    case remote(name: String, message: String)
    /// There was no reply in time. The call may still have taken effect.
    case timedOut(member: String, after: Duration)
    /// The bus connection was lost; nothing more will arrive on it.
    case disconnected(reason: String)
    /// The bus could not be reached.
    case cannotConnect(address: String, reason: String)
    /// The message contained something that D-Bus cannot carry; nothing was sent.
    case notSendable(String)
    /// A message arrived that does not have the expected shape.
    case unexpected(String)

    /// The error's name, if a peer replied with an error.
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
        }
    }
}

/// Names of errors in replies from peers and the bus (D-Bus Specification, `org.freedesktop.DBus.Error`).
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
