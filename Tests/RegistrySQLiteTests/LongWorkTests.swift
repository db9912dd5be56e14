import Dispatch
import GRDB
import Registry
import RegistryAPI
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQLite

@Suite("Long work of the store", .timeLimit(.minutes(10)))
struct LongWorkTests {
    @Test("judging anew goes on after a restart where it was, and ends with what every reader saw from the beginning")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("registry.sqlite")
        let clock = HandClock()
        let (station, trail) = try await quarantined(12, in: path, clock)
        var steps = 0
        var isDone = false
        while !isDone {
            // Each step in a life of its own.
            let store = try SQLiteRegistryStore(path: path)
            let progress = try await store.station(station)?.station.judgement?.sightings
            #expect(progress == (steps < 3 ? steps * 5 : nil))
            #expect(try await trail(store).allSatisfy { $0.reasons == [.quarantined] })
            isDone = try await store.judgeAnew(limit: 5, at: clock.now) == nil
            steps += 1
        }
        #expect(steps == 4)
        let stored = try await SQLiteRegistryStore(path: path).read { db in
            try Int64.fetchSet(db, sql: "SELECT reasons FROM sighting")
        }
        #expect(stored == [SightingReason.bits([.quarantined])])
    }

    /// A station that was put under quarantine after so many sightings, and what its owner reads of them.
    private func quarantined(
        _ count: UInt64, in path: String, _ clock: HandClock
    ) async throws -> (StationID, @Sendable (SQLiteRegistryStore) async throws -> [Sighting]) {
        let store = try SQLiteRegistryStore(path: path)
        var entropy = Entropy.seeded(1)
        let owner = Owner(id: OwnerID(at: clock.now, using: &entropy), created: clock.now)
        try await store.addOwner(owner, token: SecretDigest(of: "owner"))
        let bike = try await store.registerBike(
            NewBike(
                id: BikeID(at: clock.now, using: &entropy), owner: owner.id, details: Samples.bike,
                identity: .given(Samples.identity(1)), created: clock.now
            ),
            once: nil
        )
        let report = MissingReport(
            id: ReportID(at: clock.now, using: &entropy), bike: bike.id, opened: clock.now, missingSince: clock.now)
        _ = try await store.openReport(report, by: owner.id, once: nil)
        let details = InvitationDraft(name: "Café", place: Samples.place)
        let invitation = NewInvitation(
            id: InvitationID(at: clock.now, using: &entropy), details: details, code: SecretDigest(of: "code"),
            created: clock.now, expires: clock.now.advanced(by: .seconds(60))
        )
        _ = try await store.addInvitation(invitation, once: nil)
        let station = StationID(at: clock.now, using: &entropy)
        _ = try await store.enrol(
            Enrolment(
                code: SecretDigest(of: "code"), station: station, token: SecretDigest(of: "token"), time: clock.now)
        )
        let visits = (1...count).map { Samples.visit($0, from: clock.now) }
        _ = try await store.record(visits, by: station, at: clock.now, using: entropy)
        let boss = Principal.operator(OperatorID(at: clock.now, using: &entropy))
        _ = try await store.revokeStation(station, quarantineSince: clock.now, by: boss, at: clock.now)
        return (
            station,
            { store in
                try await store.sightings(of: report.id, on: bike.id, owner: owner.id, PageRequest(limit: 100)).items
            }
        )
    }

    @Test("however many long reads there are, a short one finds a connection")
    func longReads() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteRegistryStore(path: folder.file("registry.sqlite"))
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
