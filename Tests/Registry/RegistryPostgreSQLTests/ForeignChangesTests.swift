import Logging
import OperatingSystem
import PostgreSQL
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Synchronization
import TestSupport
import Testing

@testable import RegistryPostgreSQL
@testable import RegistryStoreContract

@Suite("Changes of other processes", .timeLimit(.minutes(20)))
struct ForeignChangesTests {
    private static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// What a process sees of changes.
    private final class Seen: Sendable {
        struct State {
            var rounds = 0
            var listWakes = 0
            var wakes: [ReportID: Int] = [:]
        }

        let state = Mutex(State())
        private let trails: TrailSignal
        private let subscriptions = Mutex<[TrailSignal.Subscription]>([])

        init(_ store: PostgreSQLRegistryStore) { trails = store.signals.trails }

        /// Counts how often the followers of a report are woken.
        func follow(_ report: ReportID) {
            let subscription = trails.follow(report) { [weak self] in
                self?.state.withLock { $0.wakes[report, default: 0] += 1 }
            }
            subscriptions.withLock { $0.append(subscription) }
        }

        /// Waits until this process has looked once more from beginning to end.
        func looksAgain() async throws {
            let before = state.withLock(\.rounds)
            try await eventually("the process looks again") { state.withLock { $0.rounds > before + 1 } }
        }
    }

    /// Runs a test while the second store follows the changes of the first one.
    private func following(
        _ body: (_ stage: Stage, _ seen: Seen) async throws -> Void
    ) async throws {
        try await TestDatabase.withTwoStores { one, two in
            let seen = Seen(two)
            let tasks = [
                Task { await one.follow(Self.silent) },
                Task { await two.follow(Self.silent) { seen.state.withLock { $0.rounds += 1 } } },
                Task {
                    while !Task.isCancelled {
                        await two.signals.missingList.wait()
                        if !Task.isCancelled { seen.state.withLock { $0.listWakes += 1 } }
                    }
                },
            ]
            do {
                try await seen.looksAgain()
                try await body(Stage(one), seen)
            } catch {
                for task in tasks { task.cancel() }
                throw error
            }
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }
    }

    @Test("a bike that is marked missing in one process wakes the list of the other")
    func list() async throws {
        try await following { stage, seen in
            try await seen.looksAgain()
            let before = seen.state.withLock(\.listWakes)
            _ = try await stage.missingBike(hasChannel: false)
            try await eventually("the list wakes") { seen.state.withLock { $0.listWakes > before } }
        }
    }

    @Test("a sighting in one process wakes those who follow its report in the other, and nobody else")
    func followers() async throws {
        try await following { stage, seen in
            let (owner, report, station) = try await stage.missingBike(hasChannel: false)
            let other = try await stage.openReport(
                on: try await stage.bike(of: owner, Samples.identity(2)).id, of: owner)
            for followed in [report, other] { seen.follow(followed.id) }
            try await seen.looksAgain()
            try await seen.looksAgain()
            let before = seen.state.withLock(\.wakes)
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            try await eventually("those who follow the report wake") {
                seen.state.withLock { $0.wakes[report.id, default: 0] > before[report.id, default: 0] }
            }
            #expect(seen.state.withLock { $0.wakes[other.id] } == before[other.id])
        }
    }

    @Test("a change is seen even if its notification is lost")
    func silence() async throws {
        try await TestDatabase.withTwoStores { one, two in
            let seen = Seen(two)
            let task = Task { await two.follow(Self.silent) { seen.state.withLock { $0.rounds += 1 } } }
            let stage = Stage(one)
            // The first store announces nothing, since nobody follows changes there.
            let (_, report, station) = try await stage.missingBike(hasChannel: false)
            seen.follow(report.id)
            try await seen.looksAgain()
            let before = seen.state.withLock { $0.wakes[report.id, default: 0] }
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            try await eventually("those who follow the report wake") {
                seen.state.withLock { $0.wakes[report.id, default: 0] > before }
            }
            task.cancel()
            await task.value
        }
    }
}
