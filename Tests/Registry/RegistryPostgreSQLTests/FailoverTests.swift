import Dispatch
import PostgreSQL
import PostgreSQLTestSupport
import RegistryAPI
import RegistryRules
import RegistrySQL
import TestSupport
import Testing

@testable import RegistryPostgreSQL

@Suite("A store on two database machines")
struct FailoverTests {
    private static let mailbox = [UInt8](repeating: 1, count: 32)

    /// Runs a test on a store with a primary and its standby, neither of which waits for the other.
    private func withPair(
        durable: Bool,
        _ body: (PostgreSQLRegistryStore, _ old: PostgreSQLCluster, _ new: PostgreSQLCluster) async throws -> Void
    ) async throws {
        let safe = durable ? ["fsync": "on", "full_page_writes": "on"] : [:]
        let old = try await PostgreSQLCluster(settings: safe)
        // The tests' servers do not wait for the disk unless they are told to, as the standby is not.
        let new = try await old.standby()
        let hosts = [old, new]
        let url =
            "postgresql://\(PostgreSQLCluster.user)@/postgres?host=\(hosts.map(\.folder.path).joined(separator: ","))"
            + "&port=\(hosts.map { String($0.port) }.joined(separator: ","))"
        var server = try TestDatabase.server(url)
        server.mustBeDurable = durable
        let store = try await PostgreSQLRegistryStore.open(server)
        do {
            try await body(store, old, new)
            await close(store, old, new)
        } catch {
            await close(store, old, new)
            throw error
        }
    }

    private func close(_ store: PostgreSQLRegistryStore, _ clusters: PostgreSQLCluster...) async {
        await store.close()
        for cluster in clusters { await cluster.stop() }
    }

    private func write(_ number: Int, to store: PostgreSQLRegistryStore) async throws {
        try await store.write { db in
            try db.run("INSERT INTO mailbox_question (mailbox, time) VALUES (?, ?)", [Self.mailbox, number])
        }
    }

    private func count(in cluster: PostgreSQLCluster) async throws -> Int64 {
        try await TestDatabase.connect(to: cluster.url()) {
            try $0.integer("SELECT count(*) FROM mailbox_question") ?? 0
        }
    }

    @Test("writes to a new primary that could lose them are refused until its settings are mended")
    func unsafePrimary() async throws {
        try await withPair(durable: true) { store, old, new in
            try await write(1, to: store)
            await old.stop()
            try await new.promote()
            try await eventually("a write is refused since the server does not wait for its disk") {
                do {
                    try await write(2, to: store)
                    Issue.record("a write was confirmed by a server that does not wait for its disk")
                    return true
                } catch DomainError.storageUnavailable(let reason) {
                    // Until the loss is noticed, the reason is another one.
                    return reason.contains("fsync")
                } catch DomainError.outcomeUnknown {
                    return false
                }
            }
            let known = try await store.read { try $0.integer("SELECT count(*) FROM mailbox_question", []) }
            // The standby need not have had the first one.
            #expect(known != nil, "reading goes on")
            for setting in ["fsync", "full_page_writes"] { try await new.execute("ALTER SYSTEM SET \(setting) = 'on'") }
            try await new.execute("SELECT pg_reload_conf()")
            try await eventually("writes go on") { (try? await write(3, to: store)) != nil }
        }
    }

    @Test("an idle process leaves a primary whose standby was promoted, although it still answers")
    func promotedBeside() async throws {
        try await withPair(durable: false) { store, old, new in
            try await write(1, to: store)
            try await eventually("the standby has it") {
                let sql = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()"
                return try await TestDatabase.connect(to: old.url()) { try $0.integer(sql) } == 1
            }
            try await new.promote()
            // What another process, which knows, has changed since.
            _ = try await TestDatabase.connect(to: new.url()) { connection in
                try connection.run(
                    "INSERT INTO mailbox_question (mailbox, time) VALUES ($1, 2)", [.bytes(Self.mailbox)])
            }
            try await eventually("it reads from the new primary") {
                try await store.read { try $0.integer("SELECT count(*) FROM mailbox_question", []) } == 2
            }
            try await store.checkReadiness()
            try await write(3, to: store)
            #expect(try await count(in: new) == 3)
            #expect(try await count(in: old) == 1)
        }
    }

    @Test("a turn that does not come in time ends the connection, so that the next one asks all hosts")
    func lostTurn() async throws {
        let cluster = try await PostgreSQLCluster()
        var server = try TestDatabase.server(cluster.url())
        server.patience = .seconds(10)
        let store = try await PostgreSQLRegistryStore.open(server)
        let process: @Sendable () async throws -> Int64? = {
            try await store.write { try $0.integer("SELECT pg_backend_pid()", []) }
        }
        let before = try #require(try await process())
        #expect(try await process() == before)
        let holder = ConnectionPool(server.connection, limits: .init(connections: 1))
        try await holder.use { holder in
            try holder.begin()
            try holder.run(WritingConnection.takeTurn)
            let refused = DispatchSemaphore(value: 0)
            Task {
                await #expect(throws: DomainError.self) { try await process() }
                refused.signal()
            }
            refused.wait()
        }
        #expect(try await process() != before)
        await holder.shutDown()
        await close(store, cluster)
    }

    @Test("as soon as a process knows of a new primary, it leaves the old one, which still answers, under load, too")
    func replacedPrimary() async throws {
        try await withPair(durable: false) { store, old, new in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        while !Task.isCancelled {
                            try? await self.write(number, to: store)
                            _ = try? await store.read { try $0.integer("SELECT 1", []) }
                        }
                    }
                }
                try await eventually("the old primary is busy") { try await count(in: old) > 50 }
                try await new.promote()
                // The first new connection sees both: that of a worker who has lost his, and who had nothing to do.
                try await old.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE state = 'idle' AND pid <> pg_backend_pid() ORDER BY state_change LIMIT 1
                    """)
                let known = try await count(in: new)
                try await eventually("the new primary is busy") { try await count(in: new) > known + 50 }
                let left = try await count(in: old)
                let later = try await count(in: new)
                try await eventually("it goes on") { try await count(in: new) > later + 50 }
                #expect(try await count(in: old) == left)
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }
}
