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

/// The assignments that an erasure makes to an entry's columns.
private let emptied = """
    time = NULL, action = NULL, principal = NULL, owner = NULL, bike = NULL, report = NULL, station = NULL, details = NULL,
    salt = NULL
    """

@Suite("The audit in SQLite")
struct AuditTests {
    private let folder: TemporaryFolder
    private let path: String
    private let store: SQLiteRegistryStore
    private let owner = OwnerID(high: 1, low: 1)
    private let report = ReportID(high: 2, low: 1)

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("registry.sqlite")
        store = try SQLiteRegistryStore(newAt: path)
    }

    private func event(_ number: Int = 1, owner: OwnerID? = nil, report: ReportID? = nil) -> AuditEvent {
        AuditEvent(
            .reportOpened, by: owner.map(Principal.owner),
            at: HandClock().now.advanced(by: .seconds(number)), report: report, details: ["note": "“é\n\(number)”"]
        )
    }

    private func append(_ events: AuditEvent...) async throws {
        try await store.write { db in for event in events { try AuditTrail(db).append(event) } }
    }

    private func entries(_ filter: AuditFilter = AuditFilter()) async throws -> [AuditEntry] {
        try await store.auditEntries(filter, PageRequest(limit: 1000)).items
    }

    /// Changes the file directly, as anyone with the operator's rights could.
    private func tamper(_ sql: String) async throws {
        try await store.write { db in
            try db.database.execute(sql: "DROP TRIGGER audit_keeps_entries; DROP TRIGGER audit_keeps_contents; \(sql)")
        }
    }

    @Test("an entry contains the appended event, and the whole chain verifies")
    func append() async throws {
        let first = event(1, owner: owner, report: report)
        try await append(first, event(2), event(3))
        let entries = try await entries()
        #expect(entries.map(\.index) == [1, 2, 3])
        #expect(entries[0].event == first.wire)
        #expect(entries[0].event?.owner == owner && entries[0].event?.principal == "owner:\(owner)")
        #expect(Set(entries.map(\.salt)).count == 3)
        let result = try await store.verifyAudit(nil, against: [])
        #expect(result.entries == 3 && result.erased == 0 && result.length == 3)
        #expect(result.end.description == entries[2].chain)
        #expect(try SQLiteRegistryStore.verifyAudit(inDatabaseAt: path) == result)
    }

    @Test("an empty audit verifies")
    func empty() async throws {
        let result = try await store.verifyAudit(nil, against: [])
        #expect(
            result == AuditVerification(entries: 0, erased: 0, length: 0, end: .zero, contents: .init()))
    }

    @Test("a change that is rolled back leaves no gap and no trace in the chain")
    func rollback() async throws {
        struct Stop: Error {}
        let (one, two, three) = (event(1), event(2), event(3))
        try await store.write { db in
            try AuditTrail(db).append(one)
            try? db.database.inSavepoint {
                try AuditTrail(db).append(two)
                throw Stop()
            }
            try AuditTrail(db).append(three)
        }
        _ = try? await store.write { db in
            try AuditTrail(db).append(two)
            throw Stop()
        }
        try await append(event(4))
        let times = try await entries().map { $0.event?.time }
        #expect(times == [one.time, three.time, event(4).time])
        #expect(try await store.verifyAudit(nil, against: []).entries == 3)
    }

    @Test("entries cannot be removed, changed or emptied except by an owner's erasure")
    func appendOnly() async throws {
        try await append(event(1, owner: owner), event(2))
        for sql in [
            "DELETE FROM audit", "DELETE FROM audit WHERE key = 2", "UPDATE audit SET action = 'report.closed'",
            "UPDATE audit SET time = 1 WHERE key = 1", "UPDATE audit SET chain = zeroblob(32)",
            "UPDATE audit SET salt = NULL WHERE key = 1",
            """
            UPDATE audit SET time = NULL, action = NULL, principal = NULL, owner = NULL, bike = NULL, report = NULL,
                station = NULL, details = NULL, salt = NULL WHERE key = 2
            """,
        ] {
            let error = await #expect(throws: DatabaseError.self, "\(sql)") {
                try await store.write { db in try db.database.execute(sql: sql) }
            }
            #expect(error?.message == "the audit is append-only", "\(sql)")
        }
        #expect(try await entries().count == 2)
    }

    @Test("an erased owner leaves only commitments, and the chain still verifies")
    func erasure() async throws {
        let other = OwnerID(high: 1, low: 2)
        try await append(event(1, owner: owner, report: report), event(2, owner: other), event(3, owner: owner))
        let before = try await entries()
        let owner = owner
        try await store.write { db in try AuditTrail(db).erase(ofOwner: owner, at: HandClock().now) }
        let all = try await entries()
        let after = all.dropLast()
        #expect(after.map(\.isErased) == [true, false, true])
        #expect(after.map(\.erasedBy) == [4, nil, 4])
        #expect(after.map(\.commitment) == before.map(\.commitment))
        #expect(after.map(\.chain) == before.map(\.chain))
        // The record of the erasure identifies the entries, but not their owner.
        let erasure = try #require(all.last?.event)
        #expect(erasure.action == "entries.erased" && erasure.details["count"] == "2")
        #expect(erasure.owner == nil && erasure.principal == nil && erasure.report == nil)
        #expect(try await entries(AuditFilter(owner: owner)) == [])
        #expect(try await entries(AuditFilter(report: report)) == [])
        let result = try await store.verifyAudit(nil, against: [])
        #expect(result.entries == 4 && result.erased == 2)
        let rows = try await store.read { db in
            try Row.fetchAll(db.database, sql: "SELECT * FROM audit WHERE key IN (1, 3)").map { row in
                row.filter { !$0.1.isNull }.map(\.0)
            }
        }
        #expect(rows == Array(repeating: ["key", "commitment", "chain", "erasure"], count: 2))
    }

    @Test(
        "a change to the file is detected",
        arguments: [
            ("UPDATE audit SET action = 'report.closed' WHERE key = 4", .changed(index: 4)),
            ("UPDATE audit SET time = time + 1 WHERE key = 4", .changed(index: 4)),
            ("UPDATE audit SET details = x'7B7D' WHERE key = 4", .changed(index: 4)),
            ("UPDATE audit SET report = zeroblob(16) WHERE key = 4", .changed(index: 4)),
            ("UPDATE audit SET salt = zeroblob(16) WHERE key = 4", .changed(index: 4)),
            ("UPDATE audit SET commitment = zeroblob(32) WHERE key = 4", .changed(index: 4)),
            ("UPDATE audit SET chain = zeroblob(32) WHERE key = 4", .unlinked(index: 4)),
            ("UPDATE audit SET key = 9 WHERE key = 4", .missing(index: 4)),
            ("UPDATE audit SET \(emptied) WHERE key = 4", .emptied(index: 4)),
            ("UPDATE audit SET \(emptied), erasure = 8 WHERE key = 4", .emptied(index: 4)),
            ("UPDATE audit SET \(emptied), erasure = 4 WHERE key = 4", .emptied(index: 4)),
            ("UPDATE audit SET \(emptied), erasure = 9 WHERE key = 4", .emptied(index: 4)),
            ("DELETE FROM audit WHERE key = 4", .missing(index: 4)),
            ("DELETE FROM audit WHERE key = 1", .missing(index: 1)),
            ("DELETE FROM audit WHERE key = 8", .truncated(after: 7, length: 8)),
            ("DELETE FROM audit", .truncated(after: 0, length: 8)),
        ] as [(String, ChainWalk.Fault)]
    )
    func tampering(sql: String, fault: ChainWalk.Fault) async throws {
        for number in 1...8 { try await append(event(number, report: report)) }
        try await tamper(sql)
        await #expect(throws: fault) { try await store.verifyAudit(nil, against: []) }
    }

    @Test("an erasure covers only the entries that it emptied")
    func emptiedMore() async throws {
        try await append(event(1, owner: owner), event(2, report: report), event(3, owner: owner), event(4))
        let owner = owner
        try await store.write { db in try AuditTrail(db).erase(ofOwner: owner, at: HandClock().now) }
        _ = try await store.verifyAudit(nil, against: [])
        try await tamper("UPDATE audit SET \(emptied), erasure = 5 WHERE key = 2")
        await #expect(throws: ChainWalk.Fault.emptied(index: 1)) { try await store.verifyAudit(nil, against: []) }
        await #expect(throws: ChainWalk.Fault.emptied(index: 2)) { try await store.verifyAudit(2...2, against: []) }
    }

    @Test("a signed checkpoint shows that a chain was truncated and extended, or rewritten")
    func checkpoint() async throws {
        for number in 1...8 { try await append(event(number)) }
        let end = try await store.auditEnd()
        let checkpoint = Checkpoint(length: end.length, chain: end.hash, time: HandClock().now, key: 1)
        try await append(event(9))
        #expect(try await store.verifyAudit(nil, against: [checkpoint]).length == 9)
        try await tamper("DELETE FROM audit WHERE key > 6; UPDATE sqlite_sequence SET seq = 6 WHERE name = 'audit'")
        #expect(try await store.verifyAudit(nil, against: []).length == 6)
        await #expect(throws: ChainWalk.Fault.truncated(after: 6, length: 8)) {
            try await store.verifyAudit(nil, against: [checkpoint])
        }
        for number in 7...10 { try await append(event(number)) }
        #expect(try await store.verifyAudit(nil, against: []).length == 10)
        await #expect(throws: ChainWalk.Fault.contradictsCheckpoint(length: 8)) {
            try await store.verifyAudit(nil, against: [checkpoint])
        }
    }

    private func keepEnd(by keyring: Keyring) async throws {
        let (checkpoint, signed) = try await store.signedEnd(by: keyring, at: HandClock().now)
        try await store.keep(signed, length: checkpoint.length)
    }

    @Test("stored checkpoints are listed, cannot be removed, and show that a chain was rewritten")
    func keptCheckpoints() async throws {
        let keyring = Keyring(at: HandClock().now)
        let keys = [try #require(PublicKey(pem: keyring.current.publicKey))]
        for number in 1...4 {
            try await append(event(number), event(number))
            try await keepEnd(by: keyring)
            try await keepEnd(by: keyring)
        }
        let first = try await store.auditCheckpoints(PageRequest(limit: 3))
        #expect(first.items.compactMap { $0.verified(by: keys[0])?.length } == [8, 6, 4] && first.next == 4)
        let second = try await store.auditCheckpoints(PageRequest(after: first.next, limit: 3))
        #expect(second.items.compactMap { $0.verified(by: keys[0])?.length } == [2] && second.next == nil)
        for sql in ["DELETE FROM audit_checkpoint", "UPDATE audit_checkpoint SET signature = ''"] {
            await #expect(throws: DatabaseError.self) { try await store.write { try $0.database.execute(sql: sql) } }
        }
        #expect(try SQLiteRegistryStore.verifyAudit(inDatabaseAt: path, keys: keys).checkpoints == 4)

        try await tamper("DELETE FROM audit WHERE key > 5; UPDATE sqlite_sequence SET seq = 5 WHERE name = 'audit'")
        await #expect(throws: ChainWalk.Fault.truncated(after: 5, length: 6)) {
            try await store.verifyAudit(nil, against: [])
        }
        try await append(event(9), event(9), event(9))
        await #expect(throws: ChainWalk.Fault.contradictsCheckpoint(length: 6)) {
            try await store.verifyAudit(nil, against: [])
        }
    }

    @Test("a checkpoint that no key of the registry signed is detected with the registry's keys")
    func forgedCheckpoint() async throws {
        let (own, other) = (Keyring(at: HandClock().now), Keyring(at: HandClock().now))
        try await append(event(1), event(2))
        try await keepEnd(by: other)
        let keys = [own, other].compactMap { PublicKey(pem: $0.current.publicKey) }
        #expect(try SQLiteRegistryStore.verifyAudit(inDatabaseAt: path, keys: keys).checkpoints == 1)
        #expect(throws: ChainWalk.Fault.forgedCheckpoint(length: 2)) {
            try SQLiteRegistryStore.verifyAudit(inDatabaseAt: path, keys: [keys[0]])
        }
    }

    @Test("a range can be verified alone, without the entries outside it")
    func range() async throws {
        for number in 1...20 { try await append(event(number)) }
        try await tamper("UPDATE audit SET action = 'x' WHERE key = 5")
        #expect(try await store.verifyAudit(6...20, against: []).entries == 15)
        await #expect(throws: ChainWalk.Fault.changed(index: 5)) { try await store.verifyAudit(1...5, against: []) }
    }

    @Test("a filter without an index scans a bounded part for each page, and misses nothing")
    func window() async throws {
        let station = StationID(high: 9, low: 9)
        for number in 1...12 {
            let station = number == 1 || number == 12 ? station : nil
            try await append(AuditEvent(.stationEnrolled, by: nil, at: HandClock().now, station: station))
        }
        let filter = AuditFilter(station: station)
        let first = try await store.auditEntries(filter, PageRequest(limit: 10), window: 10)
        #expect(first.items.map(\.index) == [1] && first.next == 10)
        let second = try await store.auditEntries(filter, PageRequest(after: first.next, limit: 10), window: 10)
        #expect(second.items.map(\.index) == [12] && second.next == nil)
        let latest = AuditFilter(station: station, order: .newest)
        let last = try await store.auditEntries(latest, PageRequest(limit: 10), window: 10)
        #expect(last.items.map(\.index) == [12] && last.next == 3)
        let earlier = try await store.auditEntries(latest, PageRequest(after: last.next, limit: 10), window: 10)
        #expect(earlier.items.map(\.index) == [1] && earlier.next == nil)
    }

    @Test("pages with the newest entries first go back to the first entry, wherever a cursor begins")
    func newest() async throws {
        for number in 1...5 { try await append(event(number)) }
        let filter = AuditFilter(order: .newest)
        var (cursor, seen): (Int64?, [[Int64]]) = (nil, [])
        repeat {
            let page = try await store.auditEntries(filter, PageRequest(after: cursor, limit: 2))
            seen.append(page.items.map(\.index))
            cursor = page.next
        } while cursor != nil
        #expect(seen == [[5, 4], [3, 2], [1]])
        for (cursor, expected) in [(Int64.min, []), (0, []), (1, []), (2, [1]), (.max, [5, 4])] {
            let page = try await store.auditEntries(filter, PageRequest(after: cursor, limit: 2))
            #expect(page.items.map(\.index) == expected.map(Int64.init), "\(cursor)")
        }
        for cursor in [Int64.max, 5] {
            let page = try await store.auditEntries(AuditFilter(), PageRequest(after: cursor, limit: 2))
            #expect(page.items.isEmpty && page.next == nil)
        }
    }
}
