import Dispatch
import OperatingSystem

/// A private connection to a message bus.
///
/// It stays open until the bus goes away, ``close()`` is called, or nothing references it; then every pending operation
/// fails with a clear error. It does not reconnect by itself: ``DBusReconnection`` opens the next connection.
public actor DBusConnection {
    nonisolated let executor: QueueExecutor
    let link: Link

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init() {
        executor = QueueExecutor(label: "DBusConnection")
        link = Link(queue: executor.queue)
    }

    /// Connects to a bus and gets a unique name.
    ///
    /// - Parameter readingPause: the pause after all data was read, unless a call waits for its reply. About 10 ms make
    ///   a flood of signals much cheaper; zero delivers each signal immediately.
    /// - Throws: ``DBusError/cannotConnect(address:reason:)``
    public static func open(
        _ address: DBusAddress = .system, readingPause: Duration = .zero
    ) async throws(DBusError) -> DBusConnection {
        let connection = DBusConnection()
        try await connection.start(address, readingPause)
        return connection
    }

    private func start(_ address: DBusAddress, _ readingPause: Duration) throws(DBusError) {
        link.owner = self
        link.readingPause = readingPause
        try link.open(address)
    }

    /// The connection's unique name, such as `:1.42`.
    public var uniqueName: String? { link.uniqueName }

    /// Whether the connection is closed or lost.
    public var isClosed: Bool { link.loss != nil }

    /// Closes the connection; every pending operation fails.
    public func close() {
        link.lose(.disconnected(reason: "it was closed here"))
    }

    /// Waits until the connection is closed or lost, and returns the reason.
    public func closed() async -> DBusError {
        if let loss = link.loss { return loss }
        return await withCheckedContinuation { link.lossWaiters.append($0) }
    }

    /// Runs the body later on the queue, behind the work already there, without waiting for it.
    nonisolated func later(_ body: @escaping @Sendable (Link) -> Void) {
        executor.queue.async { self.assumeIsolated { body($0.link) } }
    }
}

// Calls.
extension DBusConnection {
    /// How long calls wait for a reply, if their caller does not say.
    public static let defaultTimeout = Duration.seconds(25)

    /// Calls a method and waits for its reply.
    ///
    /// - Parameter timeout: how long to wait; the peer is not notified when the wait ends.
    /// - Throws: ``DBusError``, or `CancellationError`.
    @discardableResult
    public func call(_ call: DBusCall, timeout: Duration = defaultTimeout) async throws -> [DBusValue] {
        try await self.call(call, timeout: timeout) { reader in try reader.remainingValues() }
    }

    /// Calls a method and reads its reply in place: nothing is created for the parts that `reading` skips.
    ///
    /// `reading` runs on the connection's queue, in order with the signals around the reply.
    public func call<Answer: Sendable>(
        _ call: DBusCall,
        timeout: Duration = defaultTimeout,
        reading: @escaping @Sendable (inout DBusMessageReader) throws -> Answer
    ) async throws -> Answer {
        let token = link.token()
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                link.send(call, limit: timeout, token: token) { outcome in
                    continuation.resume(
                        with: Result {
                            var reader = try outcome.get().arguments
                            return try reading(&reader)
                        })
                }
            }
        } onCancel: {
            later { $0.cancel(token) }
        }
    }

    /// Sends a call without requesting a reply.
    public func post(_ call: DBusCall) throws(DBusError) {
        try link.post(call)
    }

    /// Sends a signal to all subscribers.
    public func emit(
        path: String, interface: String, member: String, arguments: [DBusValue] = []
    ) throws(DBusError) {
        try link.emit(at: path, interface, member, arguments)
    }
}

// Exported objects.
extension DBusConnection {
    /// Exports an object for the lifetime of the returned handle.
    ///
    /// - Parameter managesObjects: whether it implements `ObjectManager` for all objects below it, and signals when
    ///   objects are added or removed.
    public func export(
        at path: String, _ interfaces: [DBusInterface] = [], managesObjects: Bool = false
    ) throws(DBusError) -> DBusExport {
        let token = link.token()
        try link.export(
            Export(token: token, interfaces: interfaces, managesObjects: managesObjects), at: path
        )
        return DBusExport(path: path, connection: self, token: token)
    }
}
