public import DBus

/// A snapshot of bluetoothd, for programs that query it once.
public struct BlueZDaemon: Sendable {
    private let connection: DBusConnection
    private let timeout: Duration

    public init(_ connection: DBusConnection, timeout: Duration = .seconds(20)) {
        self.connection = connection
        self.timeout = timeout
    }

    /// Whether bluetoothd's name has an owner.
    public func isRunning() async throws -> Bool {
        try await connection.owner(of: BlueZNames.bus) != nil
    }

    /// The identifier of its process; nil if the bus replies with something else.
    public func processID() async throws -> Int? {
        let call = DBusCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "GetConnectionUnixProcessID", arguments: [.string(BlueZNames.bus)]
        )
        return try await connection.call(call, timeout: timeout).first?.integer
    }

    /// The adapters in numerical order; none if bluetoothd is not running.
    ///
    /// - Throws: ``DBusError``, with ``DBusErrorName/accessDenied`` if the bus's policy forbids the call.
    public func adapters() async throws -> [BlueZAdapter] {
        try await connection.adapters(timeout: timeout).values
            .sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
    }
}
