/// An interface of an exported object: its methods and its readable properties.
///
/// `Peer`, `Introspectable`, `Properties` (reading) and, if requested, `ObjectManager` are implemented without being
/// listed.
public struct DBusInterface: Sendable {
    public let name: String
    public let methods: [DBusMethod]
    /// Returns the current values of the properties; called on the connection's queue, so it must return quickly.
    public let properties: @Sendable () -> [String: DBusValue]

    public init(
        _ name: String,
        methods: [DBusMethod] = [],
        properties: @escaping @Sendable () -> [String: DBusValue] = { [:] }
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
    }
}

/// A method of an exported interface.
public struct DBusMethod: Sendable {
    public let name: String
    /// The signature of all arguments; a call with another one gets the error `InvalidArgs`.
    public let takes: String
    /// The signature of all results.
    public let returns: String
    /// Called on the connection's queue, in the order of arrival, so it must return quickly.
    /// ``DBusError/remote(name:message:)`` is sent unchanged, any other error as `Failed`.
    public let body: @Sendable (DBusMethodCall) throws -> [DBusValue]

    public init(
        _ name: String, takes: String = "", returns: String = "",
        _ body: @escaping @Sendable (DBusMethodCall) throws -> [DBusValue]
    ) {
        self.name = name
        self.takes = takes
        self.returns = returns
        self.body = body
    }
}

/// A call of an exported method, as its body gets it.
public struct DBusMethodCall: Hashable, Sendable {
    /// The caller's unique name.
    public let sender: String
    public let path: String
    public let arguments: [DBusValue]
}

/// An exported object, which exists for the lifetime of this handle.
public final class DBusExport: Sendable {
    public let path: String
    private let connection: DBusConnection
    private let token: UInt64

    init(path: String, connection: DBusConnection, token: UInt64) {
        self.path = path
        self.connection = connection
        self.token = token
    }

    deinit { connection.later { [path, token] in $0.unexport(path, token) } }
}
