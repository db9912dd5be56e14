import Concurrency
import Logging
import PostgreSQL
import Registry
import RegistryAPI
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

    /// What a process does when it sees changes.
    private final class Seen: Sendable {
        struct State {
            var rounds = 0
            var listWakes = 0
            var followed: Set<ReportID> = []
            var told: [ReportID: Int] = [:]
        }

        let state = Mutex(State())

        var changes: ForeignChanges {
            ForeignChanges {
                self.state.withLock { $0.rounds += 1 }
            } followed: {
                self.state.withLock(\.followed)
            } tellFollowers: { reports in
                self.state.withLock { state in for report in reports { state.told[report, default: 0] += 1 } }
            }
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
            let seen = Seen()
            let tasks = [
                Task { await one.follow(Seen().changes, Self.silent) },
                Task { await two.follow(seen.changes, Self.silent) },
                Task {
                    while !Task.isCancelled {
                        await two.missingListSignal.wait()
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
            seen.state.withLock { $0.followed = [report.id, other.id] }
            try await seen.looksAgain()
            try await seen.looksAgain()
            let before = seen.state.withLock(\.told)
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            try await eventually("those who follow the report wake") {
                seen.state.withLock { $0.told[report.id, default: 0] > before[report.id, default: 0] }
            }
            #expect(seen.state.withLock { $0.told[other.id] } == before[other.id])
        }
    }

    @Test("a change is seen even if its notification is lost")
    func silence() async throws {
        try await TestDatabase.withTwoStores { one, two in
            let seen = Seen()
            let task = Task { await two.follow(seen.changes, Self.silent) }
            let stage = Stage(one)
            // The first store announces nothing, since nobody follows changes there.
            let (_, report, station) = try await stage.missingBike(hasChannel: false)
            seen.state.withLock { $0.followed = [report.id] }
            try await seen.looksAgain()
            let before = seen.state.withLock { $0.told[report.id, default: 0] }
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            try await eventually("those who follow the report wake") {
                seen.state.withLock { $0.told[report.id, default: 0] > before }
            }
            task.cancel()
            await task.value
        }
    }
}
