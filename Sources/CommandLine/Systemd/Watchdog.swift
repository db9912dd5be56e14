import Glibc
public import ServiceLifecycle

/// Sends watchdog keep-alives to the service manager while the service makes progress: a service that hangs is
/// restarted.
public struct Watchdog: Service {
    private let socket: NotifySocket
    private let interval: Duration
    private let isMakingProgress: @Sendable () async -> Bool
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Returns nil if the manager does not watch this process (sd_watchdog_enabled(3)).
    ///
    /// - Parameter isMakingProgress: returns whether the service makes progress; a call that does not return counts as
    ///   none.
    public init?(
        socket: NotifySocket,
        environment: [String: String],
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        isMakingProgress: @escaping @Sendable () async -> Bool
    ) {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds > 0 else { return nil }
        if let pid = environment["WATCHDOG_PID"], pid != String(getpid()) { return nil }
        self.socket = socket
        // Half of the requested interval, as the manual recommends.
        interval = .microseconds(microseconds) / 2
        self.sleep = sleep
        self.isMakingProgress = isMakingProgress
    }

    /// Runs until the process is stopped.
    public func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    if await isMakingProgress() { socket.send(.watchdog) }
                    try await sleep(interval)
                }
            }
        } catch is CancellationError {
            return
        }
    }
}
