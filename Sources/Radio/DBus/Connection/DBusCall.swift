import CDBus

/// A method call: the destination, the object and the method.
public struct DBusCall: Hashable, Sendable {
    /// A well-known name (`org.bluez`) or a unique one (`:1.42`).
    public var destination: String
    /// The object's path, such as `/org/bluez/hci0`.
    public var path: String
    public var interface: String
    /// The method's name.
    public var member: String
    public var arguments: [DBusValue]

    public init(
        destination: String, path: String, interface: String, member: String, arguments: [DBusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// A call to the bus itself.
    static func bus(_ member: String, _ arguments: DBusValue...) -> DBusCall {
        DBusCall(
            destination: busName, path: "/org/freedesktop/DBus", interface: busName, member: member,
            arguments: arguments
        )
    }

    /// The name under which the bus itself can be called.
    static let busName = "org.freedesktop.DBus"

    /// The call as a message of libdbus.
    ///
    /// - Throws: ``DBusError/notSendable(_:)`` if a name or an argument breaks D-Bus's rules.
    func message() throws(DBusError) -> DBusMessage {
        try DBusNames.check(busName: destination)
        try DBusNames.check(path: path)
        try DBusNames.check(interface: interface)
        try DBusNames.check(member: member)
        guard let pointer = dbus_message_new_method_call(destination, path, interface, member) else {
            throw .outOfMemory
        }
        let message = DBusMessage(owning: pointer)
        try DBusMessageWriter.append(arguments, to: message)
        return message
    }
}

/// The address of a bus.
public enum DBusAddress: Hashable, Sendable, CustomStringConvertible {
    /// The system bus; `DBUS_SYSTEM_BUS_ADDRESS` overrides its address.
    case system
    /// Any address of the D-Bus Specification: `unix:path=/run/dbus/system_bus_socket`.
    case address(String)

    public var description: String {
        switch self {
        case .system: "the system bus"
        case .address(let address): address
        }
    }
}
