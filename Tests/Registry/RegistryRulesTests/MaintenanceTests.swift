import Logging
import OperatingSystem
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@Suite("Maintenance")
struct MaintenanceTests {
    private let clock = HandClock()

    @Test("each part runs until nothing is left, and a failed part does not stop the others")
    func round() async {
        let store = ScriptedStore(expiring: 250, fails: true)
        await maintenance(store, WakeUp()).round()
        #expect(store.calls.filter { $0 == "expire" }.count == 3)
        #expect(
            Set(store.calls) == [
                "expire", "announce", "remind", "ask", "ends", "held", "suspend", "signs", "tests", "growth", "delete",
                "delete coverage", "leftovers", "conversations",
            ])
    }

    @Test("finds are reported at once on a signal; the rounds keep their interval")
    func signal() async {
        let store = ScriptedStore(expiring: 0, fails: false)
        let signal = WakeUp()
        let service = maintenance(store, signal)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await service.run() }
            await store.waitForFinds(1)
            signal.wake()
            await store.waitForFinds(2)
            #expect(store.calls.filter { $0 == "leftovers" }.count == 1)
            clock.advance(by: .seconds(60))
            signal.wake()
            await store.waitForFinds(3)
            signal.wake()
            await store.waitForFinds(4)
            #expect(store.calls.filter { $0 == "leftovers" }.count == 2)
            group.cancelAll()
        }
    }

    @Test("a part that fails because the program ends is no error, and the next parts do not begin")
    func cancelled() async {
        let errors = Tally()
        for (endsTask, count) in [(true, 0), (false, 1)] {
            let store = ScriptedStore(expiring: 0, fails: true, endsTask: endsTask)
            let service = maintenance(
                store, WakeUp(), Logger(label: "test") { _ in ErrorCount { errors.add() } })
            await Task { await service.round() }.value
            #expect(errors.count == count)
            #expect((store.calls == ["expire", "announce"]) == endsTask)
        }
    }

    private func maintenance(
        _ store: ScriptedStore, _ finds: WakeUp,
        _ logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) -> Maintenance {
        Maintenance(
            store: store, signal: finds, clock: clock.wallClock, entropy: .seeded(1),
            sleep: { _ in try await Task.sleep(for: .seconds(3600)) },
            logger: logger
        )
    }
}

/// Counts errors.
private struct ErrorCount: LogHandler {
    let count: @Sendable () -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.error

    init(count: @escaping @Sendable () -> Void) { self.count = count }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { count() }
}

/// Counts the calls.
private final class ScriptedStore: MaintenanceStore {
    private struct State {
        var calls: [String] = []
        var finds = 0
        var expiring: Int
        var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state: Mutex<State>
    private let fails: Bool
    /// Whether the caller's task is cancelled by the failure.
    private let endsTask: Bool

    init(expiring: Int, fails: Bool, endsTask: Bool = false) {
        state = Mutex(State(expiring: expiring))
        self.fails = fails
        self.endsTask = endsTask
    }

    var calls: [String] { state.withLock { $0.calls } }

    func endBeaconTests(limit: Int, at time: Timestamp) async throws -> Int {
        note("tests")
        return 0
    }

    func recordGrowth(limit: Int, at time: Timestamp) async throws -> Int {
        note("growth")
        return 0
    }

    private func note(_ call: String) { state.withLock { $0.calls.append(call) } }

    func waitForFinds(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                guard state.finds < count else { return true }
                state.waiter = (count, continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    func expireReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        note("expire")
        return state.withLock { state in
            let count = min(limit, state.expiring)
            state.expiring -= count
            return count
        }
    }

    func announceExpiries(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        note("announce")
        if endsTask { withUnsafeCurrentTask { $0?.cancel() } }
        if fails { throw DomainError.storageUnavailable("full") }
        return 0
    }

    func tellReminders(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        note("remind")
        return 0
    }

    func askAfterQuietReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        note("ask")
        return 0
    }

    func announceSearchEnds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        note("ends")
        return 0
    }

    func noteSigns(limit: Int, at time: Timestamp) async throws -> Int {
        note("signs")
        return 0
    }

    func tellHeldNotices(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        note("held")
        return 0
    }

    func suspendReports(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        note("suspend")
        return 0
    }

    func deleteOldSightings(limit: Int, at time: Timestamp) async throws -> Int {
        note("delete")
        return 0
    }

    func deleteOldCoverage(limit: Int, at time: Timestamp) async throws -> Int {
        note("delete coverage")
        return 0
    }

    func tellMessages(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int { 0 }

    func ageConversations(limit: Int, at time: Timestamp) async throws -> Int {
        note("conversations")
        return 0
    }

    func deleteLeftovers(at time: Timestamp) async throws { note("leftovers") }

    func tellFinds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.finds += 1
            guard let waiter = state.waiter, state.finds >= waiter.count else { return nil }
            state.waiter = nil
            return waiter.continuation
        }
        waiter?.resume()
        return 0
    }
}
