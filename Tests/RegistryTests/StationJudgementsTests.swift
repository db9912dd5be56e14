import Concurrency
import Logging
import RegistryAPI
import RegistryTestSupport
import ServiceLifecycle
import Synchronization
import Testing

@testable import Registry

@Suite("Reassessment of stations' sightings")
struct StationJudgementsTests {
    private let signal = WakeUp()
    private let trailSignal = TrailSignal()
    private let report = ReportID(high: 1, low: 1)

    private func service(_ store: SteppingStore) -> StationJudgements {
        StationJudgements(
            store: store, signal: signal, trailSignal: trailSignal, alertSignal: WakeUp(),
            clock: HandClock().wallClock, sleep: { _ in try await Task.sleep(for: .seconds(3600)) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test("steps run until nothing is left, and each wakes the followers of a report")
    func steps() async {
        let store = SteppingStore(steps: 3, report: report)
        let wakes = Mutex(0)
        let subscription = trailSignal.follow(report) { wakes.withLock { $0 += 1 } }
        await service(store).judge()
        #expect(store.left == 0 && wakes.withLock { $0 } == 3)
        _ = subscription
    }

    @Test(
        "work left over is done at the start, and later work at the signal, even after a store error")
    func service() async throws {
        let store = SteppingStore(steps: 2, report: report)
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
private final class SteppingStore: StationStore {
    private let state: Mutex<(steps: Int, failures: Int)>
    private let idle = AsyncStream.makeStream(of: Void.self)
    private let report: ReportID

    init(steps: Int, report: ReportID) {
        state = Mutex((steps, 0))
        self.report = report
    }

    var left: Int { state.withLock { $0.steps } }

    func add(steps: Int, failures: Int) { state.withLock { $0 = ($0.steps + steps, failures) } }

    /// Waits until a call has found nothing to do, or has failed.
    func waitUntilIdle() async { for await _ in idle.stream { return } }

    func judgeAnew(limit: Int, at time: Timestamp) async throws -> JudgementStep? {
        try state.withLock { state in
            guard state.failures == 0 else {
                state.failures -= 1
                idle.continuation.yield()
                throw DomainError.storageUnavailable("test")
            }
            guard state.steps > 0 else {
                idle.continuation.yield()
                return nil
            }
            state.steps -= 1
            return JudgementStep(reports: [report], alerts: 0)
        }
    }

    func addInvitation(_ invitation: NewInvitation, once: IdempotencyKey?) async throws -> InvitationID {
        invitation.id
    }

    func pendingInvitations(
        _ page: PageRequest<InvitationID>, at time: Timestamp
    ) async throws -> StoredPage<PendingInvitation, InvitationID> { StoredPage(items: [], next: nil) }

    func cancelInvitation(_ id: InvitationID, by operator: Principal, at time: Timestamp) async throws {}

    func enrol(_ enrolment: Enrolment) async throws -> Station { throw DomainError.codeUnusable }

    func stations(_ page: PageRequest<StationID>) async throws -> StoredPage<Station, StationID> {
        StoredPage(items: [], next: nil)
    }

    func station(_ id: StationID) async throws -> VersionedStation? { nil }

    func changeStation(
        _ id: StationID, _ patch: StationPatch, version: Int64?, by operator: Principal, at time: Timestamp
    ) async throws -> VersionedStation { throw DomainError.notFound("station") }

    func revokeStation(
        _ id: StationID, quarantineSince quarantine: Timestamp?, by operator: Principal, at time: Timestamp
    ) async throws -> Station { throw DomainError.notFound("station") }

    func recordHeartbeat(
        _ heartbeat: StationHeartbeat, of station: StationID, at time: Timestamp
    ) async throws -> CoverageReceipt { CoverageReceipt(stored: 0, ignored: 0) }

    func coverage(of station: StationID, on day: CalendarDate) async throws -> StationCoverage {
        StationCoverage(day: day, quarters: [])
    }
}
