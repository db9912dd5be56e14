import Beacons
import Evidence
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

@Suite("Records of what rotating beacons sent")
struct SlotRecordTests {
    /// A bike with a rotating beacon, of which a station has heard a slot and another station an old slot after it.
    private struct Search {
        let store: SQLiteRegistryStore
        let path: ReportPath
        let now: Timestamp

        init(_ store: SQLiteRegistryStore) async throws {
            self.store = store
            let rotation = try RotationStage(store)
            let stage = rotation.stage
            rotation.nextSlot()
            let owner = try await stage.owner()
            let (bike, key) = try await rotation.bike(of: owner)
            path = ReportPath(try await rotation.open(bike, of: owner), of: owner)
            let start = rotation.slot
            rotation.nextSlot(9)
            for (number, slot) in [(1, 9), (2, 1)] as [(UInt64, Int64)] {
                let station = try await stage.station("s\(number)", venue: "v\(number)")
                let identity = key.identity(at: try #require(RotatingSlot(start + slot)))
                stage.clock.advance(by: .seconds(Int64(number) * 100))
                _ = try await stage.record(Samples.visit(number, of: identity, from: stage.now), by: station)
            }
            now = stage.now
        }

        func reasons() async throws -> [[SightingReason]] {
            try await store.evidence(of: path, limit: 9, at: now).sightings.map(\.reasons)
        }

        func change(_ sql: String) async throws { try await store.write { try $0.database.execute(sql: sql) } }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func search() async throws -> Search {
        try await Search(try SQLiteRegistryStore(newAt: folder.file("registry.sqlite")))
    }

    @Test(
        "a changed slot is detected, and makes no evidence",
        arguments: ["slot + 8 WHERE key = 2", "NULL WHERE key = 2", "slot - 1 WHERE key = 1"])
    func slot(change: String) async throws {
        let search = try await search()
        #expect(try await search.reasons()[1].contains(.replayed))
        try await search.change("UPDATE sighting SET slot = \(change)")
        await #expect(throws: ChainWalk.Fault.self) { try await search.reasons() }
        let error = await #expect(throws: ChainWalk.Fault.self) { try await search.store.verifyAudit(nil, against: []) }
        guard case .changedSighting = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("evidence does not depend on the tables that are derived from sightings")
    func derived() async throws {
        let search = try await search()
        let honest = try await search.reasons()
        try await search.change("DELETE FROM slot_witness; DELETE FROM slot_lag")
        #expect(try await search.reasons() == honest)
        _ = try await search.store.verifyAudit(nil, against: [])
        try await search.change("UPDATE sighting SET reasons = reasons & ~1024")
        #expect(try await search.reasons() == honest)
        await #expect(throws: ChainWalk.Fault.changedReasons(VisitID(high: 1, low: 2))) {
            try await search.store.verifyAudit(nil, against: [])
        }
    }

    @Test("a record from before slots were recorded matches while the slot is that of the stored identity")
    func older() async throws {
        let search = try await search()
        try await search.store.write { db in
            let row = try #require(try db.row(RecordedSighting.query + "WHERE sighting.key = 1", []))
            let sighting = try RecordedSighting(row)
            let (salt, record) = (try #require(sighting.salt), try #require(sighting.recordWithoutSlot))
            let index = try AuditTrail(db).nextIndex()
            try AuditTrail(db).append(
                AuditEvent(
                    .sightingChanged, by: nil, at: search.now, owner: try row.id("owner_id"),
                    bike: try row.id("bike_id"), report: try row.id("report_id"), station: try row.id("station_id"),
                    details: SightingRecord.details(of: try row.id("visit"), record.digest(salt: salt))))
            try db.run("UPDATE sighting SET entry = ? WHERE key = 1", [index])
        }
        _ = try await search.reasons()
        _ = try await search.store.verifyAudit(nil, against: [])
        try await search.change("UPDATE sighting SET slot = slot + 1 WHERE key = 1")
        await #expect(throws: ChainWalk.Fault.changedSighting(VisitID(high: 1, low: 1))) {
            try await search.store.verifyAudit(nil, against: [])
        }
    }
}
