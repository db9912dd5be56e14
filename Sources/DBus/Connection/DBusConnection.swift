import Concurrency
import Dispatch

/// A private connection to a message bus.
///
/// It lives until the bus goes away, ``close()`` is called, or nobody holds it any more: then everybody who waits for
/// something from it hears a clear error. It does not come back by itself: ``DBusReconnection`` opens the next one.
public actor DBusConnection {
    nonisolated let executor: QueueExecutor
    let link: Link

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init() {
        executor = QueueExecutor(label: "DBusConnection")
        link = Link(queue: executor.queue)
    }

    /// Connects to a bus and gets a unique name there.
    ///
    /// - Parameter readingPause: for how long reading rests once all was read, unless a call waits for its answer. Some
    ///   10 ms make a storm of signals much cheaper; zero delivers each at once.
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

    /// This connection's own name, `:1.42`.
    public var uniqueName: String? { link.uniqueName }

    /// Whether the bus is gone.
    public var isClosed: Bool { link.loss != nil }

    /// Closes the connection; whoever waits for something from it fails.
    public func close() {
        link.lose(.disconnected(reason: "it was closed here"))
    }

    /// Waits until the connection is no more, and says why.
    public func closed() async -> DBusError {
        if let loss = link.loss { return loss }
        return await withCheckedContinuation { link.lossWaiters.append($0) }
    }

    /// Runs on the queue without being waited for, behind what is there already.
    nonisolated func later(_ body: @escaping @Sendable (Link) -> Void) {
        executor.queue.async { self.assumeIsolated { body($0.link) } }
    }
}

// Calls.
extension DBusConnection {
    public static let defaultTimeout = Duration.seconds(25)

    /// Calls a method and waits for its answer.
    ///
    /// - Parameter timeout: how long to wait; the peer does not learn that nobody waits any more.
    /// - Throws: ``DBusError``, or `CancellationError`.
    @discardableResult
    public func call(_ call: DBusCall, timeout: Duration = defaultTimeout) async throws -> [DBusValue] {
        try await self.call(call, timeout: timeout) { reader in try reader.remainingValues() }
    }

    /// Calls a method and reads its answer in place: nothing is built of what `reading` skips.
    ///
    /// `reading` runs on the connection's queue, in order with the signals around the answer.
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

    /// Sends a call and asks for no answer.
    public func post(_ call: DBusCall) throws(DBusError) {
        try link.post(call)
    }

    /// Sends a signal to whoever listens.
    public func emit(
        path: String, interface: String, member: String, arguments: [DBusValue] = []
    ) throws(DBusError) {
        try link.emit(at: path, interface, member, arguments)
    }
}

// Exported objects.
extension DBusConnection {
    /// Exports an object for as long as the returned handle lives.
    ///
    /// - Parameter managesObjects: whether it answers `ObjectManager` for all objects below it, and tells when they come
    ///   and go.
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
