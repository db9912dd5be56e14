import Dispatch
import GRDB
import RegistryAPI
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite
@testable import RegistryStoreContract

@Suite("Long work of the store", .timeLimit(.minutes(10)))
struct LongWorkTests {
    @Test("reassessment continues after a restart, and ends with the result that readers saw from the beginning")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("registry.sqlite")
        let (station, trail, now) = try await quarantined(12, in: path)
        var steps = 0
        var isDone = false
        while !isDone {
            // Run each step in a newly opened store.
            let store = try await SQLiteRegistryStore.opening(path)
            let progress = try await store.station(station)?.station.judgement?.sightings
            #expect(progress == (steps < 3 ? steps * 5 : nil))
            #expect(try await trail(store).allSatisfy { $0.reasons == [.quarantined] })
            isDone = try await !store.judgeAnew(limit: 5, at: now)
            steps += 1
        }
        // Three for the station, three for the report, and one that finds nothing left.
        #expect(steps == 7)
        let stored = try await SQLiteRegistryStore.opening(path).read { db in
            try Int64.fetchSet(db.database, sql: "SELECT reasons FROM sighting")
        }
        #expect(stored == [SightingReason.bits([.quarantined])])
    }

    /// A station that was quarantined after this many sightings, and a function that returns its owner's view of them.
    private func quarantined(
        _ count: UInt64, in path: String
    ) async throws -> (StationID, @Sendable (SQLiteRegistryStore) async throws -> [Sighting], now: Timestamp) {
        let stage = Stage(try SQLiteRegistryStore(newAt: path))
        let (owner, report, station) = try await stage.missingBike(hasChannel: false)
        let visits = (1...count).map { Samples.visit($0, from: stage.now) }
        _ = try await stage.store.record(visits, by: station, at: stage.now, using: stage.entropy)
        _ = try await stage.store.revokeStation(
            station, quarantineSince: stage.now, by: .operator(stage.newID()), at: stage.now)
        return (
            station,
            { store in
                try await store.sightings(of: ReportPath(report, of: owner), PageRequest(limit: 100)).items
            },
            stage.now
        )
    }

    @Test("a short read gets a connection, however many long reads there are")
    func longReads() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
        let end = DispatchSemaphore(value: 0)
        let began = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await store.readAtLength { _ in
                        began.continuation.yield()
                        end.wait()
                    }
                }
            }
            var beginnings = began.stream.makeAsyncIterator()
            for _ in 0..<3 { await beginnings.next() }
            #expect(try await store.auditEnd().length == 0)
            for _ in 0..<20 { end.signal() }
            try await group.waitForAll()
        }
    }
}
