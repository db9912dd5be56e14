/// The rules for retrying requests after transient failures.
public struct Retries: Sendable {
    private let policy: RetryPolicy
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - policy: the number of attempts, and the wait before each of them.
    ///   - sleep: waits; tests inject their own, and programs show that they wait.
    public init(
        _ policy: RetryPolicy,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.policy = policy
        self.sleep = sleep
    }

    /// Calls until a call succeeds, fails for good, or the policy gives up.
    ///
    /// - Throws: the last error; but ``RegistryError/unanswered(_:)`` if any attempt ended with it.
    func repeating<Answer>(_ call: () async throws -> Answer) async throws -> Answer {
        var generator = SystemRandomNumberGenerator()
        var failures = 0
        var unanswered: RegistryError?
        while true {
            do {
                return try await call()
            } catch let error as RegistryError where error.isTransient {
                failures += 1
                if case .unanswered = error { unanswered = error }
                let delay = policy.delay(afterFailures: failures, retryAfter: error.retryAfter, using: &generator)
                // An earlier attempt may have made the change, even if the last one never reached the registry.
                guard let delay else { throw unanswered ?? error }
                try await sleep(delay)
            }
        }
    }
}
