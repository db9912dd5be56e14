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
            submit(body) { continuation.resume(with: $0) }
        }
    }

    /// The same for a body that only reads, perhaps for a long time.
    ///
    /// - Throws: also `CancellationError` as soon as the task is cancelled; the body goes on without a reader.
    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        let first = FirstResult<Result>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                first.wait(continuation)
                submit(body) { first.give($0) }
            }
        } onCancel: {
            first.give(.failure(CancellationError()))
        }
    }

    /// Queues the body for the next free connection.
    ///
    /// - Parameter finish: called exactly once, with the body's result or the reason why it was not run.
    private func submit<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result,
        _ finish: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        let job = ConnectionQueue.Job(expiry: .now + limits.waitingTime) { connection in
            finish(Swift.Result { try body(try connection.get()) })
        }
        if !queue.submit(job) {
            finish(
                .failure(
                    queue.isStopping
                        ? PostgreSQLError.unavailable("the program is stopping")
                        : PostgreSQLError(.overloaded, "too many wait for the database")))
        }
    }

    /// The number of callers that wait for a connection.
    package var waitingCount: Int { queue.waitingCount }

    /// The number of open connections.
    package var openCount: Int { queue.openCount }

    /// Why the last attempt to open a connection failed; nil once one has been opened.
    package var lastFailure: PostgreSQLError? { queue.lastFailure }

    /// Refuses new callers, serves those who wait, and closes the connections. An attempt to connect delays it by its
    /// deadline, and by the look-up of the hosts’ names, which has none. If the task is cancelled, it only stops waiting.
    package func shutDown() async {
        queue.stop()
        await queue.ended()
    }
}

/// Passes the first of several results to the task that waits for it.
private final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case none
        case awaited(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case passed
    }

    private let state = Mutex(State.none)

    /// Resumes the continuation with the first result. Call it once.
    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let result = state.withLock { state -> Result<Value, any Error>? in
            guard case .given(let result) = state else {
                state = .awaited(continuation)
                return nil
            }
            state = .passed
            return result
        }
        if let result { continuation.resume(with: result) }
    }

    func give(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .none: state = .given(result)
            case .awaited(let continuation):
                state = .passed
                return continuation
            case .given, .passed: break
            }
            return nil
        }
        continuation?.resume(with: result)
    }
}
