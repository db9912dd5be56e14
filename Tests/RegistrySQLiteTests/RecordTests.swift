import Beacons
import Evidence
import Foundation
import GRDB
import Registry
import RegistryAPI
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQLite

@Suite("Records of sightings in the audit")
struct RecordTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("registry.sqlite") }
    private let clock = HandClock()

    init() throws { folder = try TemporaryFolder() }

    /// A bike that two stations have heard, the second one in a visit that goes on.
    private func registry() async throws -> SQLiteRegistryStore {
        let store = try SQLiteRegistryStore(path: path)
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

    @Test("what is as it was recorded verifies, and what goes on is counted")
    func verifies() async throws {
        let contents = try #require(try await registry().verifyAudit(nil, against: []).contents)
        #expect(contents == .init(sightings: 2, growing: 1))
        #expect(try SQLiteRegistryStore.verifyAudit(inDatabaseAt: path).contents == contents)
    }

    private static let first = "WHERE key = 1"

    @Test(
        "whoever changes a sighting, or where a station stood, is found out",
        arguments: [
            "first_seen = first_seen - 1", "last_seen = last_seen + 1", "count = count + 1", "rssi_max = -59",
            "measured_power = -58", "proximity = 'immediate'", "latitude = 1, longitude = 1", "ended = 1",
            "time_uncertain = 1", "answer = 'seen', answered = 1", "received = received - 1", "stay = zeroblob(16)",
            "beacon = zeroblob(20)", "salt = zeroblob(16)", "entry = entry - 1", "entry = NULL", "salt = NULL",
            "recorded = 'x'", "visit = zeroblob(16)", "station = 2, visit = x'000000000000000100000000000000FF'",
        ]
    )
    func changed(assignment: String) async throws {
        let store = try await registry()
        try await store.write { try $0.execute(sql: "UPDATE sighting SET \(assignment) \(Self.first)") }
        let error = await #expect(throws: ChainWalk.Fault.self) { try await store.verifyAudit(nil, against: []) }
        switch error {
        case .changedSighting, .missingSighting: break
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test(
        "whoever deletes a sighting, puts one in or moves a station is found out",
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
        ]
    )
    func rows(sql: String) async throws {
        let store = try await registry()
        try await store.write { try $0.execute(sql: sql) }
        let error = await #expect(throws: ChainWalk.Fault.self) { try await store.verifyAudit(nil, against: []) }
        switch error {
        case .changedSighting, .missingSighting, .changedPlace: break
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test("a database of before is brought up to date: what has no record is counted, what comes next has one")
    func upgrade() async throws {
        try oldDatabase()
        let store = try SQLiteRegistryStore(path: path)
        let before = try await store.verifyAudit(nil, against: [])
        #expect(before.contents == .init(unrecorded: 1, unexplained: 1) && before.erased == 1)
        let actions = try await store.auditEntries(AuditFilter(), PageRequest(limit: 100)).items
            .map { $0.event?.action ?? "-" }
        #expect(actions == ["station.enrolled", "-", "entries.erased", "records.begun"])
        try await Self.fill(store, clock)
        let after = try await store.verifyAudit(nil, against: []).contents
        #expect(after == .init(sightings: 2, growing: 1, unrecorded: 1, unexplained: 1))
        try await store.write { db in
            try db.audit(AuditEvent(.recordsBegun, by: nil, at: clock.now, details: ["last": "9"]))
        }
        try await store.write { try $0.execute(sql: "UPDATE sighting SET entry = NULL WHERE key = 2") }
        await #expect(throws: ChainWalk.Fault.self) { try await store.verifyAudit(nil, against: []) }
    }

    /// As the version before has left it: a station, an erased entry, a sighting.
    private func oldDatabase() throws {
        var steps = DatabaseMigrator()
        steps.registerMigration("1") { db in
            for statement in Schema.first { try db.execute(sql: statement) }
        }
        steps.registerMigration("missing list journal") { db in
            for statement in Schema.missingList { try db.execute(sql: statement) }
        }
        let queue = try DatabaseQueue(path: path)
        try steps.migrate(queue)
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO owner (id, created, tells_appearance) VALUES (zeroblob(16), 0, 0);
                    INSERT INTO bike (id, owner, kind, make, model, colours, created)
                        VALUES (zeroblob(16), 1, 'bicycle', 'a', 'b', 'red', 0);
                    INSERT INTO report (id, bike, opened, missing_since) VALUES (zeroblob(16), 1, 0, 0);
                    INSERT INTO station (id, name, venue, mobile, enrolled) VALUES (zeroblob(16), 'a', 'a', 0, 0);
                    INSERT INTO station_place (station, since, latitude, longitude) VALUES (1, 0, 1, 1);
                    INSERT INTO sighting (station, visit, stay, beacon, report, received, revision, reasons, first_seen,
                        last_seen, count, measured_power, proximity, ended, time_uncertain)
                    VALUES (1, zeroblob(16), zeroblob(16), zeroblob(20), 1, 0, 1, 0, 0, 0, 1, 0, 'far', 1, 0);
                    """)
            let salt = [UInt8](repeating: 1, count: 16)
            let event = AuditEntry.Event(action: "station.enrolled", time: Timestamp(milliseconds: 0))
            let first = AuditChain.commitment(to: event.canonical, salt: salt)
            let chain = AuditChain.hash(index: 1, previous: .zero, shortcut: .zero, commitment: first)
            try db.run(
                "INSERT INTO audit (time, action, salt, commitment, chain) VALUES (0, 'station.enrolled', ?, ?, ?)",
                [salt, first, chain])
            let next = AuditChain.hash(
                index: 2, previous: chain, shortcut: chain, commitment: first)
            try db.run("INSERT INTO audit (commitment, chain) VALUES (?, ?)", [first, next])
        }
        try queue.close()
    }
}
