/// Opens one connection after the other, with a longer wait after each that does not last.
///
/// ```swift
/// var reconnection = DBusReconnection(.system)
/// while true {
///     let connection = try await reconnection.next()
///     … until it is lost …
/// }
/// ```
public struct DBusReconnection<WaitingClock: Clock>: Sendable where WaitingClock.Duration == Duration {
    private let address: DBusAddress
    private let readingPause: Duration
    private let waits: ClosedRange<Duration>
    private let clock: WaitingClock
    private let onFailure: @Sendable (DBusError, Duration) -> Void
    /// The wait after the next failure.
    private var wait: Duration
    /// The time at which the last connection was opened.
    private var openedAt: WaitingClock.Instant?

    /// - Parameters:
    ///   - waits: the first wait, which doubles each time, and the longest.
    ///   - onFailure: called with each failure and the wait after it.
    public init(
        _ address: DBusAddress,
        readingPause: Duration = .zero,
        waits: ClosedRange<Duration> = .milliseconds(250) ... .seconds(30),
        clock: WaitingClock,
        onFailure: @escaping @Sendable (DBusError, Duration) -> Void = { _, _ in }
    ) {
        self.address = address
        self.readingPause = readingPause
        self.waits = waits
        self.clock = clock
        self.onFailure = onFailure
        wait = waits.lowerBound
    }

    /// Tries until a connection is open.
    ///
    /// - Throws: only `CancellationError`.
    public mutating func next() async throws -> DBusConnection {
        try await waitAfterShortLife()
        while true {
            do {
                let connection = try await DBusConnection.open(address, readingPause: readingPause)
                openedAt = clock.now
                return connection
            } catch {
                onFailure(error, wait)
                try await pause()
            }
        }
    }

    /// Waits after a connection that was soon dropped, as after a failed attempt.
    private mutating func waitAfterShortLife() async throws {
        guard let openedAt else { return }
        if openedAt.duration(to: clock.now) >= waits.upperBound {
            wait = waits.lowerBound
        } else {
            try await pause()
        }
    }

    private mutating func pause() async throws {
        try await clock.sleep(for: wait)
        wait = min(wait * 2, waits.upperBound)
    }
}

extension DBusReconnection where WaitingClock == ContinuousClock {
    /// Waits 250 ms after the first failure and at most 30 s, by the continuous clock.
    public init(_ address: DBusAddress, readingPause: Duration = .zero) {
        self.init(address, readingPause: readingPause, clock: ContinuousClock())
    }
}
