public import DBus

/// The connection to the system bus that all adapters' scanners share; it is reopened when lost.
public actor BlueZBus {
    private var reconnection: DBusReconnection<ContinuousClock>
    private var current: DBusConnection?
    private var opening: Task<Void, Never>?
    private var waiters: [UInt64: CheckedContinuation<DBusConnection, any Error>] = [:]
    private var nextWaiter: UInt64 = 0

    /// - Parameters:
    ///   - readingPause: the pause between two reads, so that thousands of reports a second cost little.
    ///   - waits: the first and the longest wait between two attempts to reach the bus.
    public init(
        _ address: DBusAddress = .system,
        readingPause: Duration = .milliseconds(100),
        waits: ClosedRange<Duration> = .milliseconds(250) ... .seconds(30)
    ) {
        reconnection = DBusReconnection(address, readingPause: readingPause, waits: waits, clock: ContinuousClock())
    }

    /// The connection, once it is open.
    ///
    /// - Throws: only `CancellationError`.
    public func connection() async throws -> DBusConnection {
        if let current, await !current.isClosed { return current }
        nextWaiter += 1
        let number = nextWaiter
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                waiters[number] = continuation
                if opening == nil { opening = Task { await open() } }
            }
        } onCancel: {
            Task { await self.cancel(number) }
        }
    }

    /// Closes the connection; its users then request the next one.
    public func renew() async {
        let last = current
        current = nil
        await last?.close()
    }

    private func open() async {
        var attempt = reconnection
        let outcome: Result<DBusConnection, any Error>
        do { outcome = .success(try await attempt.next()) } catch { outcome = .failure(error) }
        opening = nil
        reconnection = attempt
        // Cancelled because the earlier callers gave up; later callers still need a connection.
        if case .failure = outcome {
            if !waiters.isEmpty { opening = Task { await open() } }
            return
        }
        current = try? outcome.get()
        for waiter in waiters.values { waiter.resume(with: outcome) }
        waiters = [:]
    }

    /// Ends the attempts if no caller waits any longer.
    private func cancel(_ number: UInt64) {
        waiters.removeValue(forKey: number)?.resume(throwing: CancellationError())
        if waiters.isEmpty { opening?.cancel() }
    }
}
