import Synchronization

/// A fixed number of connections to the primary, each on its own thread. They are opened immediately, and opened again
/// with a growing pause after a loss.
package final class ConnectionPool: Sendable {
    /// How many connections, callers and statements there can be.
    package struct Limits: Sendable, Hashable {
        /// The number of connections.
        package var connections: Int
        /// The maximum number of callers that wait for a connection.
        package var waiting: Int
        /// How long a caller waits for a connection.
        package var waitingTime: Duration
        /// The maximum number of statements that a connection keeps prepared.
        package var statements: Int

        package init(
            connections: Int = 4, waiting: Int = 1024, waitingTime: Duration = .seconds(5), statements: Int = 1024
        ) {
            self.connections = max(1, connections)
            self.waiting = max(1, waiting)
            self.waitingTime = waitingTime
            self.statements = statements
        }
    }

    private let queue: ConnectionQueue
    private let limits: Limits

    /// - Parameters:
    ///   - timelines: shared by all pools and listeners of one database.
    ///   - label: the name of the threads.
    package init(
        _ settings: ConnectionSettings, _ deadlines: Deadlines = Deadlines(), limits: Limits = Limits(),
        timelines: Timelines = Timelines(), label: String = "postgresql"
    ) {
        self.limits = limits
        queue = ConnectionQueue(limit: limits.waiting, workers: limits.connections)
        for number in 1...limits.connections {
            ConnectionWorker(
                settings: settings, deadlines: deadlines, statements: limits.statements, timelines: timelines,
                queue: queue
            ).start(name: "\(label)-\(number)")
        }
    }

    deinit { queue.stop() }

    /// Runs the body on the thread of a free connection, at most once. A transaction that it leaves open is rolled
    /// back.
    ///
    /// - Throws: the body's error; ``PostgreSQLError`` of the kind `overloaded` if too many wait or none became free in
    ///   time, or `unavailable` if none could be opened.
    package func use<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let job = ConnectionQueue.Job(expiry: .now + limits.waitingTime) { connection in
                continuation.resume(with: Swift.Result { try body(try connection.get()) })
            }
            if !queue.submit(job) {
                let reason =
                    queue.isStopping
                    ? PostgreSQLError.unavailable("the program is stopping")
                    : PostgreSQLError(.overloaded, "too many wait for the database")
                continuation.resume(throwing: reason)
            }
        }
    }

    /// The number of callers that wait for a connection.
    package var waitingCount: Int { queue.waitingCount }

    /// The number of open connections.
    package var openCount: Int { queue.openCount }

    /// Why the last attempt to open a connection failed; nil once one has been opened.
    package var lastFailure: PostgreSQLError? { queue.lastFailure }

    /// Refuses new callers, serves those who wait, and closes the connections. An attempt to connect delays it by its
    /// deadline, and by the look-up of the hosts’ names, which has none.
    package func shutDown() async {
        queue.stop()
        await queue.ended()
    }
}
