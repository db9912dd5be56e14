import Beacons
import Evidence
import Foundation
import GRDB
import RegistryAPI
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("Records of sightings in the audit")
struct RecordTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("registry.sqlite") }
    private let clock = HandClock()

    init() throws { folder = try TemporaryFolder() }

    /// A registry with a bike that two stations have heard; the visit of the second one continues.
    private func registry() async throws -> SQLiteRegistryStore {
        let store = try await SQLiteRegistryStore.opening(path)
        try await Self.fill(store, clock)
        return store
    }

    private static func fill(_ store: SQLiteRegistryStore, _ clock: HandClock) async throws {
        var entropy = Entropy.seeded(1)
        let owner = Owner(id: OwnerID(at: clock.now, using: &entropy), created: clock.now)
        try await store.addOwner(owner, token: SecretDigest(of: "owner"))
        let bike = try await store.registerBike(
            NewBike(
                id: BikeID(at: clock.now, using: &entropy), owner: owner.id, details: Samples.bike,
                identity: .given(Samples.identity(1)), created: clock.now), once: nil)
        let report = MissingReport(
            id: ReportID(at: clock.now, using: &entropy), bike: bike.id, opened: clock.now, missingSince: clock.now)
        _ = try await store.openReport(report, by: owner.id, once: nil)
        for code in ["one", "two"] {
            _ = try await store.addInvitation(
                NewInvitation(
                    id: InvitationID(at: clock.now, using: &entropy),
                    details: InvitationDraft(name: code, place: Samples.place), code: SecretDigest(of: code),
                    created: clock.now, expires: clock.now.advanced(by: .seconds(60)),
                    by: .operator(OperatorID(high: 1, low: 1))), once: nil)
            let station = try await store.enrol(
                Enrolment(
                    code: SecretDigest(of: code), station: StationID(at: clock.now, using: &entropy),
                    token: SecretDigest(of: "token " + code), time: clock.now))
            for minutes in code == "one" ? [1] : [1, 5] {
                _ = try await store.record(
                    [Samples.visit(from: clock.now, lasting: .seconds(60 * minutes))], by: station.id, at: clock.now,
                    using: entropy)
            }
        }
    }

    @Test("sightings that match their records verify, and visits in progress are counted")
    func verifies() async throws {
        let contents = try #require(try await registry().verifyAudit(nil, against: []).contents)
        #expect(contents == .init(sightings: 2, growing: 1))
        #expect(try SQLiteRegistryStore.verifyAudit(inDatabaseAt: path).contents == contents)
    }

    @Test("a place with a negative zero verifies")
    func negativeZero() async throws {
        let store = try await registry()
        let station = try #require(try await store.stations(PageRequest(limit: 1)).items.first).id
        var visit = Samples.visit(9, from: clock.now)
        visit.place = Place(latitude: -0.0, longitude: -0.0, accuracy: -0.0)
        _ = try await store.record([visit], by: station, at: clock.now, using: Entropy.seeded(2))
        #expect(try await store.verifyAudit(nil, against: []).contents?.sightings == 3)
    }

    private static let first = "WHERE key = 1"

    @Test(
        "a changed sighting or place of a station is detected",
        arguments: [
            "first_seen = first_seen - 1", "last_seen = last_seen + 1", "count = count + 1", "rssi_max = -59",
            "measured_power = -58", "proximity = 'immediate'", "latitude = 1, longitude = 1", "ended = 1",
            "time_uncertain = 1", "answer = 'seen', answered = 1", "receiver = 'bar'", "received = received - 1",
            "stay = zeroblob(16)",
            "beacon = zeroblob(20)", "salt = zeroblob(16)", "entry = entry - 1", "entry = NULL", "salt = NULL",
            "recorded = 'x'", "visit = zeroblob(16)", "station = 2, visit = x'000000000000000100000000000000FF'",
        ]
    )
    func changed(assignment: String) async throws {
        let store = try await registry()
        try await store.write { try $0.database.execute(sql: "UPDATE sighting SET \(assignment) \(Self.first)") }
        let error = await #expect(throws: ChainWalk.Fault.self) { try await store.verifyAudit(nil, against: []) }
        switch error {
        case .changedSighting, .missingSighting: break
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test(
        "deleting or inserting a sighting, or moving a station, is detected",
        arguments: [
            "DELETE FROM alert; DELETE FROM sighting WHERE key = 1",
            """
            INSERT INTO sighting (station, visit, stay, beacon, report, received, revision, reasons, first_seen, last_seen,
                count, measured_power, proximity, ended, time_uncertain)
            SELECT station, zeroblob(16), stay, beacon, report, received, 9, 0, first_seen, last_seen, count,
                measured_power, proximity, ended, time_uncertain FROM sighting WHERE key = 1
            """,
            "UPDATE station_place SET latitude = 1", "UPDATE station_place SET entry = NULL",
            "UPDATE station_place SET since = 1", "UPDATE station_place SET entry = entry - 1",
            "INSERT INTO station_place VALUES (1, 5, 48.85, 2.35, 10, NULL)",
            "INSERT INTO station_place SELECT station, 5, 48.85, 2.35, 10, entry FROM station_place WHERE station = 1",
        ]
    )
    func rows(sql: String) async throws {
        let store = try await registry()
        try await store.write { try $0.database.execute(sql: sql) }
        let error = await #expect(throws: ChainWalk.Fault.self) { try await store.verifyAudit(nil, against: []) }
        switch error {
        case .changedSighting, .missingSighting, .changedPlace: break
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test(
        "no pack is made if a recorded sighting is missing, or if a dismissal has no entry",
        arguments: ["DELETE FROM alert; DELETE FROM sighting WHERE key = 1", "UPDATE sighting SET dismissed = 1"])
    func incomplete(sql: String) async throws {
        let store = try await registry()
        try await store.write { try $0.database.execute(sql: sql) }
        await #expect(throws: ChainWalk.Fault.self) { try await evidence(of: store) }
    }

    @Test("no pack is made of an earlier state of a sighting, although that state has a record")
    func rolledBack() async throws {
        let store = try await registry()
        // As it was before the visit went on.
        try await store.write { db in
            try db.database.execute(
                sql: """
                    CREATE TABLE earlier AS SELECT key AS sighting, salt, entry,
                        CAST(substr(recorded, 1, 13) AS INTEGER) AS last_seen,
                        CAST(substr(recorded, 15, instr(substr(recorded, 15), ' ') - 1) AS INTEGER) AS count
                    FROM sighting WHERE recorded IS NOT NULL
                    """)
        }
        #expect(try await store.recordGrowth(limit: 9, at: clock.now.advanced(by: .seconds(4000))) == 1)
        _ = try await evidence(of: store)
        try await store.write { db in
            try db.database.execute(
                sql: """
                    UPDATE sighting SET (salt, entry, last_seen, count) = (SELECT salt, entry, last_seen, count FROM earlier)
                    WHERE key = (SELECT sighting FROM earlier)
                    """)
        }
        await #expect(throws: ChainWalk.Fault.self) { try await evidence(of: store) }
    }

    /// The assignment that makes a row look like a visit in progress that matches its record.
    private static let asGrowing = """
        recorded = last_seen || ' ' || count || ' ' || rssi_min || ' ' || rssi_max || ' ' || measured_power || ' ' || proximity
        """

    private func expectChanged(_ number: UInt64, in store: SQLiteRegistryStore) async {
        await #expect(throws: ChainWalk.Fault.changedSighting(VisitID(high: 1, low: number))) {
            try await store.verifyAudit(nil, against: [])
        }
    }

    @Test(
        "an open visit may differ from its record only by growth within the last hour",
        arguments: [
            "grown = NULL", "grown = 1", "grown = 9000000000000", "last_seen = first_seen", "count = 4",
            "proximity = 'far'", "rssi_min = -61", "last_seen = last_seen + 90000000", "recorded = NULL", "ended = 1",
        ]
    )
    func grown(assignment: String) async throws {
        let store = try await registry()
        try await store.write {
            try $0.database.execute(sql: "UPDATE sighting SET \(assignment) WHERE recorded IS NOT NULL")
        }
        await expectChanged(1, in: store)
    }

    @Test("growth of a visit may be recorded up to an hour and one round late, but no later")
    func age() async throws {
        let store = try await registry()
        let station = try await #require(store.stations(PageRequest(limit: 9)).items.first).id
        for (seconds, number) in [(3600, 2), (3600 + 310, 3)] as [(Int, UInt64)] {
            let now = clock.now.advanced(by: .seconds(seconds))
            _ = try await store.record([Samples.visit(number, from: now)], by: station, at: now, using: .seeded(2))
            if number == 2 { _ = try await store.verifyAudit(nil, against: []) }
        }
        await expectChanged(1, in: store)
        #expect(try await store.recordGrowth(limit: 9, at: clock.now.advanced(by: .seconds(4000))) == 1)
        #expect(try await store.verifyAudit(nil, against: []).contents == .init(sightings: 4))
    }

    @Test("a changed sighting of an ended visit is detected, and the registry neither records nor signs it")
    func ended() async throws {
        let store = try await registry()
        let station = try await #require(store.stations(PageRequest(limit: 9)).items.first).id
        var visit = Samples.visit(7, from: clock.now)
        visit.ended = true
        _ = try await store.record([visit], by: station, at: clock.now, using: .seeded(2))
        let now = clock.now.milliseconds
        let sql = """
            UPDATE sighting SET \(Self.asGrowing), grown = \(now), last_seen = last_seen + 600000, count = 99999
            WHERE key = (SELECT max(key) FROM sighting)
            """
        try await store.write { try $0.database.execute(sql: sql) }
        await expectChanged(7, in: store)
        await #expect(throws: ChainWalk.Fault.changedSighting(visit.id)) { try await evidence(of: store) }
        // The growth of the other sighting is valid. Neither is due again.
        #expect(try await store.recordGrowth(limit: 9, at: clock.now.advanced(by: .seconds(4000))) == 2)
        #expect(try await store.recordGrowth(limit: 9, at: clock.now.advanced(by: .seconds(9000))) == 0)
        await expectChanged(7, in: store)
        visit.confirmation = VisitConfirmation(answer: .seen, time: clock.now)
        _ = try await store.record([visit], by: station, at: clock.now, using: .seeded(2))
        await expectChanged(7, in: store)
    }

    private func evidence(of store: SQLiteRegistryStore) async throws -> EvidenceContent {
        let report = try await store.read { db in
            let row = try #require(try db.row(RecordedSighting.query + "LIMIT 1", []))
            let names = ["report_id", "bike_id", "owner_id"]
            return ReportPath(try row.id(names[0]), on: try row.id(names[1]), of: try row.id(names[2]))
        }
        return try await store.evidence(of: report, limit: 9, at: clock.now)
    }

    @Test(
        "reasons that were changed in the database are not signed, and are detected",
        arguments: ["1", "0", "reasons | 2", "reasons & ~16", "reasons | 512"])
    func reasons(bits: String) async throws {
        let store = try await registry()
        let station = try await #require(store.stations(PageRequest(limit: 9)).items.first).id
        var visit = Samples.visit(9, from: clock.now)
        visit.place = Place(latitude: 51.6, longitude: -0.12, accuracy: 5)
        _ = try await store.record([visit], by: station, at: clock.now, using: .seeded(2))
        let honest = try await evidence(of: store).sightings
        #expect(honest.last?.level == .disputed && honest.last?.reasons == [.otherPlace])
        #expect(try await store.verifyAudit(nil, against: []).contents?.unjudged == 0)
        let sql = "UPDATE sighting SET reasons = \(bits) WHERE key = (SELECT max(key) FROM sighting)"
        try await store.write { try $0.database.execute(sql: sql) }
        #expect(try await evidence(of: store).sightings == honest)
        await #expect(throws: ChainWalk.Fault.changedReasons(visit.id)) {
            try await store.verifyAudit(nil, against: [])
        }
    }

    @Test("a later report from a station does not hide that a sighting was changed")
    func toldLater() async throws {
        let store = try await registry()
        let station = try await #require(store.stations(PageRequest(limit: 9)).items.first).id
        try await store.write { try $0.database.execute(sql: "UPDATE sighting SET count = 99 \(Self.first)") }
        var visit = Samples.visit(from: clock.now)
        visit.ended = true
        _ = try await store.record([visit], by: station, at: clock.now, using: .seeded(2))
        await expectChanged(1, in: store)
    }

    @Test("an inserted place is not signed")
    func placePutIn() async throws {
        let store = try await registry()
        _ = try await evidence(of: store)
        let sql = "INSERT INTO station_place SELECT station, 5, 48.85, 2.35, 10, entry FROM station_place LIMIT 1"
        try await store.write { try $0.database.execute(sql: sql) }
        await #expect(throws: ChainWalk.Fault.self) { try await evidence(of: store) }
    }

    @Test("sightings and places without an entry of the audit are detected")
    func unrecorded() async throws {
        let store = try await registry()
        try await store.write { db in
            try db.database.execute(
                sql: """
                    DELETE FROM alert; DELETE FROM sighting WHERE key = 1; UPDATE station_place SET entry = NULL, latitude = 1;
                    UPDATE sighting SET entry = NULL, salt = NULL, recorded = NULL, grown = NULL, first_seen = first_seen - 1
                    """)
        }
        await #expect(throws: ChainWalk.Fault.self) { try await store.verifyAudit(nil, against: []) }
        await #expect(throws: ChainWalk.Fault.self) { try await evidence(of: store) }
    }

    @Test("an inserted place without an entry of the audit is detected")
    func placeWithoutEntry() async throws {
        let store = try await registry()
        _ = try await store.verifyAudit(nil, against: [])
        try await store.write {
            try $0.database.execute(sql: "INSERT INTO station_place VALUES (1, 5, 48.85, 2.35, 10, NULL)")
        }
        await #expect(throws: ChainWalk.Fault.self) { try await store.verifyAudit(nil, against: []) }
        await #expect(throws: ChainWalk.Fault.self) { try await evidence(of: store) }
    }

    @Test("an entry that was changed to look like one about a deleted sighting is not emptied, and is found")
    func disguised() async throws {
        let store = try await registry()
        try await store.write { db in
            try db.database.execute(
                sql: """
                    DROP TRIGGER audit_keeps_contents;
                    UPDATE audit SET action = 'sighting.stored' WHERE action = 'report.opened';
                    DELETE FROM sighting; UPDATE report SET closed = 1, outcome = 'recovered', sightings_deleted = 1
                    """)
            let owner = try #require(try db.row("SELECT id FROM owner", []))
            try AuditTrail(db).eraseDeletedSightings(ofOwner: owner.id("id"), at: clock.now)
        }
        let entries = try await store.auditEntries(AuditFilter(), PageRequest(limit: 100)).items
        let disguised = try #require(entries.first { $0.event?.action == "sighting.stored" })
        await #expect(throws: ChainWalk.Fault.changed(index: disguised.index)) {
            try await store.verifyAudit(nil, against: [])
        }
    }
}
