/// Repeats a call while its failures are transient.
///
/// - Parameters:
///   - policy: how often, and how long to wait.
///   - sleep: waits; injected so that tests need no time.
///   - generator: draws the jitter.
///   - call: the call; sending it again must be safe.
public func retrying<Answer, Generator: RandomNumberGenerator>(
    _ policy: RetryPolicy,
    sleep: (Duration) async throws -> Void,
    using generator: inout Generator,
    _ call: () async throws -> Answer
) async throws -> Answer {
    var failures = 0
    while true {
        do {
            return try await call()
        } catch let error as RegistryError where error.isTransient {
            failures += 1
            let delay = policy.delay(afterFailures: failures, retryAfter: error.retryAfter, using: &generator)
            guard let delay else { throw error }
            try await sleep(delay)
        }
    }
}
