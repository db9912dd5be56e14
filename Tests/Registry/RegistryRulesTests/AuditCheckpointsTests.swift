import Evidence
import Logging
import RegistryAPI
import RegistryTestSupport
import ServiceLifecycle
import Synchronization
import Testing

@testable import RegistryRules

@Suite("Checkpoints of the audit")
struct AuditCheckpointsTests {
    private let clock = HandClock()
    private let keyring = Keyring(at: HandClock().now)
    private let audit = GrowingAudit()

    private var service: AuditCheckpoints {
        AuditCheckpoints(
            store: audit, keyring: keyring, clock: clock.wallClock,
            sleep: { _ in try await Task.sleep(for: .seconds(3600)) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test("the end is signed once an hour, and only if the audit has grown")
    func hourly() async throws {
        await service.sign(after: AuditCheckpoints.interval)
        #expect(audit.kept == [], "nothing is there to sign")
        audit.grow(to: 3)
        await service.sign(after: AuditCheckpoints.interval)
        audit.grow(to: 5)
        clock.advance(by: .seconds(3599))
        await service.sign(after: AuditCheckpoints.interval)
        #expect(audit.kept.map(\.length) == [3], "the hour is not over")
        clock.advance(by: .seconds(1))
        await service.sign(after: AuditCheckpoints.interval)
        clock.advance(by: .seconds(7200))
        await service.sign(after: AuditCheckpoints.interval)
        #expect(audit.kept.map(\.length) == [3, 5])
        #expect(audit.kept.map(\.chain) == [HashValue(of: [3]), HashValue(of: [5])])
    }

    @Test("stored checkpoints are signed with the registry's key")
    func signature() async throws {
        audit.grow(to: 1)
        await service.sign(after: .zero)
        let key = try #require(PublicKey(pem: keyring.current.publicKey))
        let checkpoint = try #require(audit.signed.first?.verified(by: key))
        #expect(checkpoint == Checkpoint(length: 1, chain: HashValue(of: [1]), time: clock.now, key: 1))
    }

    @Test("a clock that is set back does not delay the next checkpoint")
    func clockSetBack() async {
        audit.grow(to: 1)
        await service.sign(after: AuditCheckpoints.interval)
        audit.grow(to: 2)
        clock.advance(by: .days(-1))
        await service.sign(after: AuditCheckpoints.interval)
        #expect(audit.kept.map(\.length) == [1, 2])
    }

    @Test("the end is signed again at a clean shutdown, and a store error does not end the service")
    func stop() async throws {
        audit.grow(to: 1)
        audit.fail(times: 1)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        async let ended: Void = group.run()
        await audit.waitForFailure()
        await group.triggerGracefulShutdown()
        try await ended
        #expect(audit.kept.map(\.length) == [1])
    }
}

/// An audit whose length the test sets.
private final class GrowingAudit: CheckpointStore {
    private struct State {
        var length: Int64 = 0
        var signed: [SignedCheckpoint] = []
        var failures = 0
    }

    private let state = Mutex(State())
    private let failed = AsyncStream.makeStream(of: Void.self)

    var signed: [SignedCheckpoint] { state.withLock { $0.signed } }
    var kept: [Checkpoint] { signed.compactMap { Checkpoint($0.checkpoint) } }

    func grow(to length: Int64) { state.withLock { $0.length = length } }

    /// Makes the next reads of the end fail.
    func fail(times: Int) { state.withLock { $0.failures = times } }

    func waitForFailure() async { for await _ in failed.stream { return } }

    func auditEnd() async throws -> (length: Int64, hash: HashValue) {
        let length = try state.withLock { state in
            guard state.failures == 0 else {
                state.failures -= 1
                failed.continuation.yield()
                throw DomainError.storageUnavailable("test")
            }
            return state.length
        }
        return (length, HashValue(of: [UInt8(length)]))
    }

    func keep(_ checkpoint: SignedCheckpoint, length: Int64) async throws {
        state.withLock { $0.signed.append(checkpoint) }
    }

    func auditCheckpoints(_ page: PageRequest<Int64>) async throws -> StoredPage<SignedCheckpoint, Int64> {
        StoredPage(items: Array(signed.reversed().prefix(page.limit)), next: nil)
    }
}
