import Logging
import OperatingSystem
import RegistryAPI
import RegistryTestSupport
import ServiceLifecycle
import Synchronization
import Testing

@testable import RegistryRules

@Suite("Reassessment of stations' sightings")
struct StationJudgementsTests {
    private let signal = WakeUp()

    private func service(_ store: SteppingStore) -> StationJudgements {
        StationJudgements(
            store: store, signal: signal, clock: HandClock().wallClock,
            // Only the signal ends the pause of the service, not those between steps.
            sleep: { if $0 >= .seconds(1) { try await Task.sleep(for: .seconds(3600)) } },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test("steps run until nothing is left")
    func steps() async {
        let store = SteppingStore(steps: 3)
        await service(store).judge()
        #expect(store.left == 0)
    }

    @Test(
        "work left over is done at the start, and later work at the signal, even after a store error")
    func service() async throws {
        let store = SteppingStore(steps: 2)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(configuration: .init(services: [service(store)], logger: logger))
        async let ended: Void = group.run()
        await store.waitUntilIdle()
        store.add(steps: 2, failures: 1)
        signal.wake()
        await store.waitUntilIdle()
        signal.wake()
        await store.waitUntilIdle()
        #expect(store.left == 0)
        await group.triggerGracefulShutdown()
        try await ended
    }
}

/// A store with a given number of steps of reassessment left.
private final class SteppingStore: JudgementStore {
    private let state: Mutex<(steps: Int, failures: Int)>
    private let idle = AsyncStream.makeStream(of: Void.self)

    init(steps: Int) { state = Mutex((steps, 0)) }

    var left: Int { state.withLock { $0.steps } }

    func add(steps: Int, failures: Int) { state.withLock { $0 = ($0.steps + steps, failures) } }

    /// Waits until a call has found nothing to do, or has failed.
    func waitUntilIdle() async { for await _ in idle.stream { return } }

    func judgeAnew(limit: Int, at time: Timestamp) async throws -> Bool {
        try state.withLock { state in
            guard state.failures == 0 else {
                state.failures -= 1
                idle.continuation.yield()
                throw DomainError.storageUnavailable("test")
            }
            guard state.steps > 0 else {
                idle.continuation.yield()
                return false
            }
            state.steps -= 1
            return true
        }
    }
}
