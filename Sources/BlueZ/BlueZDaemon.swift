public import DBus

/// bluetoothd as it is now: asked once, for programs that look and do not stay.
public struct BlueZDaemon: Sendable {
    private let connection: DBusConnection
    private let timeout: Duration

    public init(_ connection: DBusConnection, timeout: Duration = .seconds(20)) {
        self.connection = connection
        self.timeout = timeout
    }

    /// Whether anybody has bluetoothd's name.
    public func isRunning() async throws -> Bool {
        try await connection.owner(of: BlueZNames.bus) != nil
    }

    /// The number of its process.
    public func processID() async throws -> Int? {
        let call = DBusCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "GetConnectionUnixProcessID", arguments: [.string(BlueZNames.bus)]
        )
        return try await connection.call(call, timeout: timeout).first?.integer
    }

    /// The adapters in the order of their numbers; none where it does not run.
    ///
    /// - Throws: ``DBusError``, with ``DBusErrorName/accessDenied`` where the bus's policy forbids to ask.
    public func adapters() async throws -> [BlueZAdapter] {
        try await connection.adapters(timeout: timeout).values
            .sorted { ($0.name.count, $0.name) < ($1.name.count, $1.name) }
    }
}
