public import Logging
import RegistryAPI
public import RegistryClient
public import ServiceLifecycle

/// Sends the outbox to the registry, in batches, until each visit is answered.
public struct Reporter: Service {
    private let outbox: Outbox
    private let registry: RegistryConnection
    private let signal: ReportSignal
    private let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let logger: Logger

    public init(
        outbox: Outbox,
        registry: RegistryConnection,
        signal: ReportSignal,
        policy: RetryPolicy = RetryPolicy(base: .seconds(1), ceiling: .seconds(60)),
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.outbox = outbox
        self.registry = registry
        self.signal = signal
        self.policy = policy
        self.clock = clock
        self.logger = logger
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown { try await reportForEver() }
        // What the last scan left is tried once more; the rest waits on disk for the next start.
        do {
            while try await reportOnce() {}
        } catch is CancellationError {
            return
        } catch {
            logger.warning("visits kept for the next start", metadata: ["reason": "\(error)"])
        }
    }

    private func reportForEver() async throws {
        var generator = SystemRandomNumberGenerator()
        var failures = 0
        while true {
            do {
                while try await reportOnce() {}
                failures = 0
                await signal.wait()
                try Task.checkCancellation()
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                failures += 1
                let wait = delay(afterFailures: failures, error, using: &generator)
                logger.warning("visits not reported yet", metadata: ["reason": "\(error)", "retryIn": "\(wait)"])
                try await clock.sleep(for: wait)
            }
        }
    }

    /// A refusal that needs people is retried too, slowly: they mend it at the registry, and nothing is lost meanwhile.
    private func delay(
        afterFailures failures: Int, _ error: any Error, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let error = error as? RegistryError
        guard error?.isTransient ?? true else { return policy.ceiling }
        return policy.delay(afterFailures: failures, retryAfter: error?.retryAfter, using: &generator) ?? policy.ceiling
    }

    /// Sends one batch; false where nothing was due.
    public func reportOnce() async throws -> Bool {
        let pending = try await outbox.pending()
        guard !pending.isEmpty else { return false }
        let answer = try await registry.report(pending.map(\.visit))
        guard answer.results.map(\.id) == pending.map(\.visit.id) else {
            throw RegistryError.malformedAnswer("the results are not those of the \(pending.count) visits")
        }
        let answers = Array(zip(pending, answer.results).map { (pending: $0, result: $1) })
        try await outbox.settle(answers)
        for (pending, result) in answers { log(pending.visit, result) }
        return true
    }

    private func log(_ visit: Visit, _ result: VisitResult) {
        let id: Logger.Metadata = ["visit": "\(visit.id)"]
        switch result.result {
        case .stored:
            let appearance = result.lookFor.map {
                "\($0.colours.map(\.rawValue).joined(separator: "/")) \($0.make) \($0.model) (\($0.kind.rawValue))"
            }
            logger.info(
                "sighting stored by the registry",
                metadata: id.merging(["lookFor": "\(appearance ?? "not disclosed")"]) { $1 }
            )
        case .ignored:
            // The list is hashed, and may be old: what is nobody's business leaves no trace.
            logger.debug("visit ignored by the registry: no bike with this identity was missing then", metadata: id)
        case .invalid:
            let reasons = (result.errors ?? []).map { "\($0.pointer): \($0.detail)" }.joined(separator: "; ")
            logger.error(
                "visit set aside: the registry calls it invalid", metadata: id.merging(["reason": "\(reasons)"]) { $1 })
        }
    }
}

extension Reporter: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "reporter" }
}
