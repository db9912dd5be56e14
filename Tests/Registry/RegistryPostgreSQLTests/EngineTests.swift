import Dispatch
import Foundation
import PostgreSQL
import RegistryAPI
import RegistryRules
import RegistrySQL
import Synchronization
import TestSupport
import Testing

@testable import RegistryPostgreSQL

@Suite("The engine on PostgreSQL")
struct EngineTests {
    private struct Refusal: Error {}

    @Test("a change that fails after writing is undone alone")
    func failing() async throws {
        try await TestDatabase.withStore { store in
            let results = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let written: Void? = try? await store.write { db in
                            try db.run("INSERT INTO mailbox_question (mailbox, time) VALUES (?, ?)", [mailbox, number])
                            if number % 2 == 1 { throw Refusal() }
                        }
                        return written != nil
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { $0 } == 10)
            let times = try await store.read { db in
                try db.rows("SELECT time FROM mailbox_question ORDER BY time", []).map { try $0["time"] as Int }
            }
            #expect(times == Array(stride(from: 0, to: 20, by: 2)))
        }
    }

    @Test("a statement that the server refuses fails only its own change")
    func refusedStatement() async throws {
        try await TestDatabase.withStore { store in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        do {
                            // The check of the mailbox's length fails for odd numbers.
                            try await store.write { db in
                                try db.run(
                                    "INSERT INTO mailbox_question (mailbox, time) VALUES (?, ?)",
                                    [number % 2 == 0 ? mailbox : [1, 2], number])
                            }
                            #expect(number % 2 == 0)
                        } catch {
                            #expect(number % 2 == 1 && (error as? PostgreSQLError)?.state == "23514")
                        }
                    }
                }
            }
            let count = try await questions(in: store)
            #expect(count == 5)
        }
    }

    @Test("a query sees what was confirmed before, and a failing one does not disturb the others")
    func queries() async throws {
        try await TestDatabase.withStore { store in
            for number in 1...20 {
                try await store.write { db in
                    try db.run("INSERT INTO mailbox_question (mailbox, time) VALUES (?, ?)", [mailbox, number])
                }
                let broken = Task { try await store.read { try $0.integer("SELECT nothing FROM nowhere", []) } }
                let count = try await questions(in: store)
                #expect(count == Int64(number))
                await #expect(throws: PostgreSQLError.self) { _ = try await broken.value }
            }
        }
    }

    @Test("after the server has ended all connections, the next operations succeed")
    func reconnecting() async throws {
        try await TestDatabase.withStore { store in
            for _ in 0..<3 {
                try? await store.write { db in
                    try db.run(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                        """, [])
                }
                // An idle connection may notice its end only when it is used.
                try await untilSuccess("writing") {
                    try await store.write { try $0.run("UPDATE missing_list SET version = version", []) }
                }
                try await untilSuccess("reading") { _ = try await store.missingListVersion() }
                try await untilSuccess("a token") { _ = try await store.credential(token: SecretDigest(of: "nobody")) }
                try await untilSuccess("readiness") { try await store.checkReadiness() }
            }
        }
    }

    @Test("while this machine's clock is far from the database's, nothing is written, and the registry is not ready")
    func wrongClock() async throws {
        try await TestDatabase.with { url in
            let ahead = Mutex(Duration.zero)
            var server = try TestDatabase.server(url)
            server.clock = WallClock { WallClock.system.now.advanced(by: ahead.withLock(\.self)) }
            let store = try await PostgreSQLRegistryStore.open(server)
            let touch: @Sendable () async throws -> Void = {
                try await store.write { try $0.run("UPDATE missing_list SET version = version", []) }
            }
            try await touch()
            for difference in [Duration.days(365), .seconds(-20)] {
                ahead.withLock { $0 = difference }
                await #expect {
                    try await touch()
                } throws: { error in
                    guard case DomainError.storageUnavailable(let reason) = error else { return false }
                    return reason.contains("clock")
                }
                await #expect(throws: DomainError.self) { try await store.checkReadiness() }
            }
            // A second is no reason.
            ahead.withLock { $0 = .seconds(1) }
            try await store.checkReadiness()
            try await touch()
            await store.close()
        }
    }

    private func questions(in store: PostgreSQLRegistryStore) async throws -> Int64? {
        try await store.read { try $0.integer("SELECT count(*) FROM mailbox_question", []) }
    }

    @Test("a connection that is lost in the middle of a change is not an answer, and its change is not stored")
    func lostConnection() async throws {
        try await TestDatabase.withStore { store in
            await #expect(throws: DomainError.self) {
                try await store.write { db in
                    try db.run("INSERT INTO mailbox_question (mailbox, time) VALUES (?, 1)", [mailbox])
                    try db.run("SELECT pg_terminate_backend(pg_backend_pid())", [])
                }
            }
            try await eventually("the aborted write is gone") { (try? await questions(in: store)) == 0 }
        }
    }

    @Test("a group waits for its turn, and is refused as busy if another one holds it for too long")
    func turns() async throws {
        try await TestDatabase.with { url in
            var server = try TestDatabase.server(url)
            let holders = ConnectionPool(server.connection, limits: .init(connections: 1))
            server.patience = .seconds(10)
            let store = try await PostgreSQLRegistryStore.open(server)
            let delete: @Sendable () async throws -> Void = {
                try await store.write { try $0.run("DELETE FROM mailbox_question", []) }
            }
            let served = try await holders.use { holder in
                try holder.begin()
                try holder.run(WritingConnection.takeTurn)
                let served = Task { try await delete() }
                while try holder.integer("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0 {}
                return served
            }
            try await served.value
            try await holders.use { holder in
                try holder.begin()
                try holder.run(WritingConnection.takeTurn)
                let refused = DispatchSemaphore(value: 0)
                Task {
                    await #expect(throws: DomainError.self) { try await delete() }
                    refused.signal()
                }
                refused.wait()
            }
            try await delete()
            await holders.shutDown()
            await store.close()
        }
    }

    @Test("U+0000, which PostgreSQL’s texts cannot contain, is stored as U+FFFD")
    func zero() async throws {
        try await TestDatabase.withStore { store in
            let text = try await store.write { db in
                try db.row("SELECT CAST(? AS TEXT) AS text", ["a\u{0}b"]).map { try $0["text"] as String }
            }
            #expect(text == "a\u{FFFD}b")
        }
    }

    @Test("a result of any length is read in parts, also while its rows are looked up again, and can be left early")
    func parts() async throws {
        try await TestDatabase.withStore { store in
            let most = PostgreSQLTransaction.part * 3
            for count in [0, 1, PostgreSQLTransaction.part, most, most + 1] {
                let sum = try await store.readAtLength(.inParts) { db in
                    var sum: Int64 = 0
                    try db.eachRow("SELECT generate_series(1, CAST(? AS BIGINT)) AS number", [count]) { row in
                        sum += try db.integer("SELECT CAST(? AS BIGINT)", [try row["number"] as Int64]) ?? 0
                    }
                    return sum
                }
                #expect(sum == Int64(count) * (Int64(count) + 1) / 2)
            }
            let first = try await store.readAtLength(.inParts) { db in
                let sql = "SELECT generate_series(1, 5000) AS number"
                return try (0..<3).map { _ in try db.row(sql, []).map { try $0["number"] as Int } }
            }
            #expect(first == [1, 1, 1])
        }
    }

    @Test("values keep their types, also in sets of rows")
    func values() async throws {
        try await TestDatabase.withStore { store in
            let row = try await store.read { db in
                try db.row(
                    """
                    SELECT CAST(? AS bigint) AS integer, CAST(? AS double precision) AS double, CAST(? AS text) AS text,
                        CAST(? AS bytea) AS blob, CAST(? AS bigint) AS nothing, 1 = 1 AS truth
                    """, [Int64.min, 0.1, "ü", [0, 255] as [UInt8], nil])
            }
            let found = try #require(row)
            let (integer, double, text): (Int64, Double, String) = (
                try found["integer"], try found["double"], try found["text"]
            )
            #expect(integer == .min && double == 0.1 && text == "ü")
            let (blob, truth): (Data, Bool) = (try found["blob"], try found["truth"])
            #expect(blob == Data([0, 255]) && truth)
            #expect(!found.hasNonNull("nothing") && !found.hasNonNull("unknown"))
        }
    }
}

private let mailbox = [UInt8](repeating: 7, count: 32)

private func untilSuccess(_ work: String, _ body: () async throws -> Void) async throws {
    try await eventually("\(work) succeeds") { (try? await body()) != nil }
}
