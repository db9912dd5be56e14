public import Logging
public import RegistryAPI
public import RegistryClient
public import ServiceLifecycle

/// Sends the registry a heartbeat every few minutes, with the health of the radios.
public struct Heartbeat: Service {
    private let registry: RegistryConnection
    private let interval: Duration
    private let health: @Sendable () async -> StationHeartbeat
    private let clock: any Clock<Duration>
    private let logger: Logger

    /// - Parameters:
    ///   - registry: a separate connection, so that a heartbeat never waits for other requests.
    ///   - interval: the time between two heartbeats; randomised by a tenth, so that stations that start together drift
    ///     apart.
    ///   - health: called before each heartbeat.
    public init(
        registry: RegistryConnection, interval: Duration = .seconds(300),
        health: @escaping @Sendable () async -> StationHeartbeat, clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.registry = registry
        self.interval = interval
        self.health = health
        self.clock = clock
        self.logger = logger
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown { try await beatForEver() }
    }

    private func beatForEver() async throws {
        var generator = SystemRandomNumberGenerator()
        let policy = RetryPolicy(base: .seconds(5), ceiling: interval)
        var failures = 0
        while true {
            var wait = interval * Double.random(in: 0.9...1.1, using: &generator)
            do {
                try await registry.beat(await health())
                if failures > 0 { logger.notice("heartbeats reach the registry again") }
                failures = 0
            } catch let error as RegistryError {
                failures += 1
                wait = delay(afterFailures: failures, error, policy, using: &generator)
                // Log one line per outage, not one per attempt.
                if failures == 1 { logger.warning("heartbeat not sent", metadata: ["reason": "\(error)"]) }
            }
            try await clock.sleep(for: wait)
        }
    }

    /// The delay before the next heartbeat. A failure that people must resolve is retried after the normal
    /// interval.
    private func delay(
        afterFailures failures: Int, _ error: RegistryError, _ policy: RetryPolicy,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        guard error.isTransient else { return interval }
        return policy.delay(afterFailures: failures, retryAfter: error.retryAfter, using: &generator) ?? interval
    }
}

extension Heartbeat: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "heartbeat" }
}
