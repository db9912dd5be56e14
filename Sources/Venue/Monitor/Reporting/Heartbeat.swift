public import Logging
public import RegistryAPI
public import RegistryClient
import Scanning
public import ServiceLifecycle

/// Sends the registry a heartbeat every few minutes, with the health of the radios and what was heard in the quarters of
/// an hour that have ended.
public struct Heartbeat: Service {
    /// The time between two heartbeats while no radio has heard anything, as in the first seconds.
    private static let deafInterval = Duration.seconds(60)

    private let registry: RegistryConnection
    private let interval: Duration
    private let health: @Sendable () async -> StationHeartbeat
    private let coverage: CoverageJournal
    private let onReceipt: @Sendable (CoverageReceipt?) async -> Void
    private let clock: any Clock<Duration>
    private let logger: Logger

    /// - Parameters:
    ///   - registry: a separate connection, so that a heartbeat never waits for other requests.
    ///   - interval: the time between two heartbeats; randomised by a tenth, so that stations that start together drift
    ///     apart.
    ///   - health: called before each heartbeat.
    ///   - onReceipt: called after each heartbeat with what the registry says; nil if it says nothing or refuses the
    ///     station.
    public init(
        registry: RegistryConnection, interval: Duration = .seconds(300),
        health: @escaping @Sendable () async -> StationHeartbeat, coverage: CoverageJournal = CoverageJournal(),
        onReceipt: @escaping @Sendable (CoverageReceipt?) async -> Void = { _ in },
        clock: any Clock<Duration> = ContinuousClock(), logger: Logger
    ) {
        self.registry = registry
        self.interval = interval
        self.health = health
        self.coverage = coverage
        self.onReceipt = onReceipt
        self.clock = clock
        self.logger = logger
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown { try await beatForEver() }
        save()
        // One more attempt to send what the last scan left; anything else waits on disk for the next start. The attempt
        // is short, since the reporter needs the remaining time before the stop.
        guard !coverage.due.isEmpty else { return }
        do {
            try await beat(timeout: .seconds(3))
        } catch {
            logger.notice("coverage kept for the next start", metadata: ["reason": "\(error)"])
        }
    }

    /// Sends one heartbeat, with the quarters that are due.
    ///
    /// - Parameter timeout: of the call; nil for the connection's own.
    /// - Returns: whether a radio listens and has heard something.
    @discardableResult
    private func beat(timeout: Duration? = nil) async throws -> Bool {
        var heartbeat = await health()
        let isListening = heartbeat.adapters.contains { radio in
            radio.state == RadioHealth.State.scanning.rawValue && radio.silentSeconds != nil
        }
        let due = coverage.due
        heartbeat.coverage = due.isEmpty ? nil : due
        let receipt = try await registry.beat(heartbeat, timeout: timeout)
        await onReceipt(receipt)
        guard let receipt else { return isListening }
        coverage.acknowledge(due)
        guard receipt.ignored > 0 else { return isListening }
        logger.info("coverage ignored by the registry", metadata: ["quarters": "\(receipt.ignored)"])
        return isListening
    }

    /// Saves the quarters. If that fails, the program continues.
    private func save() {
        do {
            try coverage.save()
        } catch {
            logger.warning("coverage not saved", metadata: ["reason": "\(error)"])
        }
    }

    /// Sends heartbeats until the task is cancelled.
    private func beatForEver() async throws {
        var generator = SystemRandomNumberGenerator()
        let policy = RetryPolicy(base: .seconds(5), ceiling: interval)
        var failures = 0
        while true {
            var wait = interval * Double.random(in: 0.9...1.1, using: &generator)
            save()
            do {
                let isListening = try await beat()
                // So the operator soon learns that a station hears again, or has heard its first frame.
                if !isListening { wait = min(wait, Self.deafInterval) }
                if failures > 0 { logger.notice("heartbeats reach the registry again") }
                failures = 0
            } catch let error as RegistryError {
                failures += 1
                // The station was revoked: its displays end, too. A refusal by a proxy has another form.
                if case .refused(let problem, _) = error, [401, 403].contains(problem.status) { await onReceipt(nil) }
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
