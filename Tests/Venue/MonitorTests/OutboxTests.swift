import Foundation
import GRDB
import RegistryAPI
import TestSupport
import Testing

@testable import Monitor

@Suite("Outbox")
struct OutboxTests {
    private let folder: TemporaryFolder
    private let outbox: Outbox
    private var maker = VisitMaker()

    init() throws {
        folder = try TemporaryFolder()
        outbox = try Outbox(path: folder.file("outbox.sqlite"))
    }

    private func stored(_ pending: Outbox.Pending) -> (Outbox.Pending, VisitResult) {
        (pending, VisitResult(id: pending.visit.id, result: .stored))
    }

    @Test("a recorded visit is due until it is acknowledged, in order of time")
    mutating func order() async throws {
        let visits = [maker.visit(), maker.visit(), maker.visit()]
        try await outbox.record(visits.reversed())
        let pending = try await outbox.pending()
        #expect(pending.map(\.visit) == visits)
        try await outbox.settle(pending.map(stored))
        #expect(try await outbox.depth() == 0)
    }

    @Test("files are readable by their user only, including those of an earlier version")
    mutating func permissions() async throws {
        let files = FileManager.default
        let names = ["outbox.sqlite", "outbox.sqlite-wal", "outbox.sqlite-shm"].map(folder.file)
        try await outbox.record([maker.visit()])
        func modes() throws -> [Int?] {
            try names.map { try files.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
        }
        #expect(try modes() == [0o600, 0o600, 0o600])
        for name in names { try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: name) }
        let again = try Outbox(path: names[0])
        #expect(try await again.pending().count == 1)
        #expect(try modes() == [0o600, 0o600, 0o600])
    }

    @Test("a visit refused for impossible values is reported again without them, after an update")
    mutating func refusedBefore() async throws {
        let (power, signal, other) = (maker.visit(ended: true), maker.visit(ended: true), maker.visit(ended: true))
        try await outbox.record([power, signal, other])
        try await outbox.database.write { [power, signal] db in
            try db.execute(
                sql: """
                    UPDATE visit SET refusal = 'an integer from −127 to 20', sent = 1;
                    UPDATE visit SET body = json_set(body, '$.measuredPower', 127) WHERE id = ?;
                    UPDATE visit SET body = json_set(body, '$.rssi.max', 21) WHERE id = ?;
                    DELETE FROM grdb_migrations WHERE identifier = 'refused for signal values'
                    """, arguments: [power.id.data, signal.id.data])
        }
        let updated = try Outbox(path: folder.file("outbox.sqlite"))
        let pending = try await updated.pending().map(\.visit)
        #expect(pending.map(\.id) == [power.id, signal.id])
        #expect(pending.map(\.measuredPower) == [0, -59] && pending.map(\.rssi) == [power.rssi, nil])
        #expect(try await updated.refusals().map(\.visit.id) == [other.id])
    }

    @Test("a visit that continues is due again; one that has ended is forgotten once acknowledged")
    mutating func lifeCycle() async throws {
        var visit = maker.visit()
        try await outbox.record([visit])
        try await outbox.settle(try await outbox.pending().map(stored))
        #expect(try await outbox.openVisits().map(\.visit) == [visit])
        visit.count = 9
        visit.ended = true
        try await outbox.record([visit])
        #expect(try await outbox.pending().map(\.visit) == [visit])
        #expect(try await outbox.openVisits().isEmpty)
        try await outbox.settle(try await outbox.pending().map(stored))
        try await outbox.flush()
        let rows = try await outbox.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM visit") }
        #expect(rows == 0)
    }

    @Test("a visit that changed while its report was in progress stays due")
    mutating func changedMeanwhile() async throws {
        var visit = maker.visit()
        try await outbox.record([visit])
        let claimed = try await outbox.pending()
        visit.ended = true
        try await outbox.record([visit])
        try await outbox.settle(claimed.map(stored))
        #expect(try await outbox.pending().map(\.visit) == [visit])
    }

    @Test("only an invalid visit is set aside, with its reason")
    mutating func invalid() async throws {
        try await outbox.record([maker.visit(), maker.visit()])
        let pending = try await outbox.pending()
        let errors = [FieldError(pointer: "/visits/0/count", detail: "too many")]
        try await outbox.settle([
            (pending[0], VisitResult(id: pending[0].visit.id, result: .invalid, errors: errors)),
            (pending[1], VisitResult(id: pending[1].visit.id, result: .ignored)),
        ])
        #expect(try await outbox.depth() == 0)
        let refusals = try await outbox.refusals()
        #expect(refusals.map(\.visit.id) == [pending[0].visit.id])
        #expect(refusals.first?.reason == "/visits/0/count: too many")
    }

    @Test("written visits are there after the outbox is reopened")
    mutating func reopen() async throws {
        let visit = maker.visit()
        try await outbox.record([visit])
        let again = try Outbox(path: folder.file("outbox.sqlite"))
        #expect(try await again.pending().map(\.visit) == [visit])
    }

    @Test("every commit reaches the disk: WAL with synchronous=FULL")
    func durability() async throws {
        let pragmas = try await outbox.database.read { db in
            (try String.fetchOne(db, sql: "PRAGMA journal_mode"), try Int.fetchOne(db, sql: "PRAGMA synchronous"))
        }
        #expect(pragmas.0 == "wal")
        #expect(pragmas.1 == 2)
    }

    @Test("a missing folder is explained")
    func unusable() throws {
        let missing = #expect(throws: OutboxError.self) { try Outbox(path: folder.file("no/outbox.sqlite")) }
        #expect(missing?.description.contains("folder exists") == true)
    }

    @Test("acknowledgements need no write of their own, and are written with the next visit")
    mutating func answersInMemory() async throws {
        let (first, second) = (maker.visit(ended: true), maker.visit(ended: true))
        try await outbox.record([first])
        let before = try await written()
        try await outbox.settle(try await outbox.pending().map(stored))
        #expect(try await written() == before)
        #expect(try await outbox.depth() == 0)
        try await outbox.record([second])
        #expect(try await outbox.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM visit") } == 1)
        let again = try Outbox(path: folder.file("outbox.sqlite"))
        #expect(try await again.pending().map(\.visit) == [second])
    }

    /// The size of the database's write-ahead log in bytes.
    private func written() async throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("outbox.sqlite-wal"))
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    @Test("a visit waits for a place, and is reported with the first known one")
    mutating func place() async throws {
        try await outbox.record([StationVisit(maker.visit(ended: true), isPlaceless: true)])
        #expect(try await outbox.depth() == 0)
        #expect(try await outbox.summary().awaitingPlace == 1)
        let place = Place(latitude: 51, longitude: 0, accuracy: 5)
        #expect(try await outbox.attachPlace(place) == 1)
        #expect(try await outbox.attachPlace(place) == 0)
        #expect(try await outbox.pending().map(\.visit.place) == [place])
    }
}
