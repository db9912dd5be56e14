import RegistryClient
import TestSupport
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
    private let policy = RetryPolicy(base: .seconds(1), ceiling: .seconds(60))

    @Test("waits grow from the base to the ceiling, jittered by at most half")
    func growth() throws {
        var generator = SeededGenerator(seed: 1)
        for failures in 1...40 {
            let bound = min(Duration.seconds(60), .seconds(1) * (1 << min(failures - 1, 20)))
            for _ in 0..<50 {
                let delay = try #require(policy.delay(afterFailures: failures, using: &generator))
                #expect(delay <= bound && delay >= bound / 2)
            }
        }
    }

    @Test("two stations that fail together do not retry together")
    func jitter() {
        var generator = SeededGenerator(seed: 2)
        let delays = Set((0..<100).map { _ in policy.delay(afterFailures: 5, using: &generator) })
        #expect(delays.count > 90)
    }

    @Test("the server’s Retry-After is honoured, up to an hour")
    func retryAfter() {
        var generator = SeededGenerator(seed: 3)
        #expect(policy.delay(afterFailures: 1, retryAfter: .seconds(90), using: &generator) == .seconds(90))
        #expect(policy.delay(afterFailures: 1, retryAfter: .seconds(86_400), using: &generator) == .seconds(3600))
    }

    @Test("a person does not wait for a server that asks for more than their patience")
    func patience() {
        var generator = SeededGenerator(seed: 5)
        let policy = RetryPolicy(attempts: 3, patience: .seconds(10))
        #expect(policy.delay(afterFailures: 1, retryAfter: .seconds(10), using: &generator) == .seconds(10))
        #expect(policy.delay(afterFailures: 1, retryAfter: .seconds(11), using: &generator) == nil)
    }

    @Test("a bounded policy gives up at its limit")
    func bounded() {
        var generator = SeededGenerator(seed: 4)
        let bounded = RetryPolicy(attempts: 3)
        #expect(bounded.delay(afterFailures: 2, using: &generator) != nil)
        #expect(bounded.delay(afterFailures: 3, using: &generator) == nil)
    }
}
