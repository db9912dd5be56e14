import RegistryClient
import Terminal

/// Repeats a safe call a few times while the registry or the network hiccups; a person waits no longer than that.
func patiently<Answer>(_ call: () async throws -> Answer) async throws -> Answer {
    var generator = SystemRandomNumberGenerator()
    let policy = RetryPolicy(base: .milliseconds(500), ceiling: .seconds(4), attempts: 3, patience: .seconds(10))
    return try await Progress.during("asking the registry") {
        try await retrying(policy, sleep: { try await Task.sleep(for: $0) }, using: &generator, call)
    }
}
