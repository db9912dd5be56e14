/// An interface of an exported object: what can be called, what can be read.
///
/// `Peer`, `Introspectable`, `Properties` (reading) and, where asked for, `ObjectManager` are answered without being
/// listed.
public struct DBusInterface: Sendable {
    public let name: String
    public let methods: [DBusMethod]
    /// The properties' values now; called on the connection's queue, so it must be quick.
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
    /// Signature of all arguments; a call with another one is answered with `InvalidArgs`.
    public let takes: String
    /// Signature of all results.
    public let returns: String
    /// Called on the connection's queue, in the order of arrival, so it must be quick. ``DBusError/remote(name:message:)``
    /// is answered as it is, any other error as `Failed`.
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

/// A call that arrived.
public struct DBusMethodCall: Hashable, Sendable {
    /// The caller's unique name.
    public let sender: String
    public let path: String
    public let arguments: [DBusValue]
}

/// An exported object, which is there for as long as this handle.
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
