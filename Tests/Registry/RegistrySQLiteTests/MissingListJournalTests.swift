import Beacons
import Foundation
import GRDB
import MissingList
import RegistryAPI
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("The journal of the missing list")
struct MissingListJournalTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("registry.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func missingBike(_ store: SQLiteRegistryStore, _ minor: UInt16) async throws {
        let now = HandClock().now
        let owner = OwnerID(high: 1, low: UInt64(minor))
        try await store.addOwner(Owner(id: owner, created: now), token: SecretDigest(of: "\(minor)"))
        let bike = BikeID(high: 2, low: UInt64(minor))
        _ = try await store.registerBike(
            NewBike(
                id: bike, owner: owner, details: Samples.bike, identity: .given(Samples.identity(minor)), created: now),
            once: nil
        )
        let report = MissingReport(
            id: ReportID(high: 3, low: UInt64(minor)), bike: bike, opened: now, missingSince: now, lastPlace: nil,
            policeReference: nil, note: nil
        )
        _ = try await store.openReport(report, by: owner, once: nil)
    }

    @Test("versions and changes survive a restart")
    func restart() async throws {
        var store: SQLiteRegistryStore? = try await SQLiteRegistryStore.opening(path)
        let start = try await #require(store).missingListVersion()
        try await missingBike(try #require(store), 1)
        let end = try await #require(store).missingListVersion()
        store = nil
        let reopened = try await SQLiteRegistryStore.opening(path)
        #expect(try await reopened.missingListVersion() == end)
        #expect(try await reopened.missingListChanges(since: start, upTo: nil)?.added == [Samples.identity(1)])
    }

    @Test("a registry restored from a backup starts a new series of versions")
    func restored() async throws {
        var store: SQLiteRegistryStore? = try await SQLiteRegistryStore.opening(path)
        try await missingBike(try #require(store), 1)
        let common = try await #require(store).missingListVersion()
        let backup = folder.file("backup.sqlite")
        try await #require(store).pool.writeWithoutTransaction { db in
            try db.execute(sql: "VACUUM INTO ?", arguments: [backup])
        }
        try await missingBike(try #require(store), 2)
        let lost = try await #require(store).missingListVersion()
        store = nil
        let restored = try SQLiteRegistryStore(path: backup)
        try await missingBike(restored, 3)
        let version = try await restored.missingListVersion()
        #expect(version.number == lost.number && version.mark != lost.mark)
        #expect(try await restored.missingListChanges(since: lost, upTo: nil) == nil)
        #expect(try await restored.missingListChanges(since: common, upTo: nil)?.added == [Samples.identity(3)])
    }

    @Test("deleting a bike with its report removes it from the list, whichever statement does it")
    func deleted() async throws {
        let store = try await SQLiteRegistryStore.opening(path)
        try await missingBike(store, 1)
        let before = try await store.missingListVersion()
        try await store.write { db in
            try db.database.execute(sql: "DELETE FROM report")
            try db.database.execute(sql: "DELETE FROM bike")
        }
        #expect(try await store.missingList().identities == [])
        #expect(try await store.missingListChanges(since: before, upTo: nil)?.removed == [Samples.identity(1)])
    }

    @Test("exchanging the beacon of a missing bike exchanges it on the list, whichever statement does it")
    func exchanged() async throws {
        let store = try await SQLiteRegistryStore.opening(path)
        try await missingBike(store, 1)
        let before = try await store.missingListVersion()
        let other = Samples.identity(2)
        try await store.write { db in
            try db.database.execute(sql: "INSERT INTO identity (beacon, issued) VALUES (?, 0)", arguments: [other.blob])
            try db.database.execute(sql: "UPDATE bike SET beacon = NULL")
            try db.database.execute(sql: "UPDATE bike SET beacon = ?", arguments: [other.blob])
        }
        #expect(try await store.missingList().identities == [other])
        let changes = try await store.missingListChanges(since: before, upTo: nil)
        #expect(changes?.added == [other] && changes?.removed == [Samples.identity(1)])
    }

    @Test("closing a report removes its bike from the list in the same change, whichever statement does it")
    func forgotten() async throws {
        let store = try await SQLiteRegistryStore.opening(path)
        try await missingBike(store, 1)
        let before = try await store.missingListVersion()
        try await store.write { db in
            try db.database.execute(sql: "UPDATE report SET closed = 1, outcome = 'recovered'")
        }
        let after = try await store.missingListVersion()
        #expect(after.number == before.number + 1)
        #expect(try await store.missingList().identities == [])
        #expect(try await store.missingListVersion() == after)
    }

    @Test("a change that does not affect the list makes no version")
    func unrelated() async throws {
        let store = try await SQLiteRegistryStore.opening(path)
        try await missingBike(store, 1)
        let before = try await store.missingListVersion()
        try await store.write { db in
            try db.database.execute(sql: "UPDATE report SET note = 'found a witness'")
        }
        #expect(try await store.missingListVersion() == before)
    }

    @Test("a change that is rolled back leaves list and journal unchanged")
    func rolledBack() async throws {
        let store = try await SQLiteRegistryStore.opening(path)
        try await missingBike(store, 1)
        let before = try await store.missingListVersion()
        struct Refused: Error {}
        await #expect(throws: Refused.self) {
            try await store.write { db in
                try db.database.execute(sql: "UPDATE report SET closed = 1, outcome = 'recovered'")
                throw Refused()
            }
        }
        #expect(try await store.missingListVersion() == before)
        #expect(try await store.missingList().identities == [Samples.identity(1)])
    }
}
