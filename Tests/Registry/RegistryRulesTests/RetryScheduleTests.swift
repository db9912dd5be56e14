import RegistryAPI
import RegistryTestSupport
import Testing

@testable import RegistryRules

@Suite("Retries of alerts")
struct RetryScheduleTests {
    private let created = HandClock().now

    private func wait(after attempts: Int, asked: Duration? = nil, seed: UInt64 = 1) -> Duration? {
        var entropy = Entropy.seeded(seed)
        return RetrySchedule.nextAttempt(
            after: attempts, created: created, now: created, asked: asked, using: &entropy
        ).map { created.duration(to: $0) }
    }

    @Test(
        "waits double from 5 seconds to an hour",
        arguments: [(1, 5), (2, 10), (3, 20), (10, 2560), (11, 3600), (40, 3600), (Int.max, 3600), (0, 5)]
    )
    func doubling(attempts: Int, seconds: Int) throws {
        for seed in 0..<20 as Range<UInt64> {
            let next = try #require(wait(after: attempts, seed: seed))
            #expect(next >= .seconds(seconds) * 0.79 && next <= .seconds(seconds) * 1.21)
        }
    }

    @Test("receivers that fail together are not retried together")
    func jitter() {
        #expect(Set((0..<20 as Range<UInt64>).map { wait(after: 5, seed: $0) }).count > 15)
    }

    @Test("a receiver's requested wait is honoured, up to a day")
    func asked() {
        #expect(wait(after: 1, asked: .seconds(600)) == .seconds(600))
        #expect(wait(after: 1, asked: .seconds(1)) != .seconds(1))
        #expect(wait(after: 1, asked: .seconds(1_000_000)) == .days(1))
    }

    @Test("an alert is given up after three days, and not before")
    func lifetime() {
        var entropy = Entropy.seeded(1)
        var now = created
        var attempts = 0
        while let next = RetrySchedule.nextAttempt(
            after: attempts + 1, created: created, now: now, asked: nil, using: &entropy
        ) {
            attempts += 1
            now = next
        }
        #expect((70...110).contains(attempts))
        #expect(created.duration(to: now) > .seconds(71 * 3600))
        #expect(created.duration(to: now) <= .seconds(72 * 3600))
    }
}
