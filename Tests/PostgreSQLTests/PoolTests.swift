import Foundation
import PostgreSQL
import PostgreSQLTestSupport
import Synchronization
import Testing

@Suite("The pool of connections")
struct PoolTests {
    private final class Counter: Sendable {
        let value = Mutex(0)
    }

    private func pool(
        _ limits: ConnectionPool.Limits = .init(connections: 2, waitingTime: .seconds(60)),
        _ deadlines: Deadlines = generous
    ) async throws -> ConnectionPool {
        ConnectionPool(
            try ConnectionSettings(await PostgreSQLCluster.shared().database()), deadlines, limits: limits)
    }

    @Test("many callers share few connections")
    func sharing() async throws {
        let pool = try await pool()
        let processes = try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try await pool.use { connection in
                        let echo = try connection.integer("SELECT $1::bigint", [.integer(Int64(number))])
                        #expect(echo == Int64(number))
                        return connection.serverProcess
                    }
                }
            }
            return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
        }
        #expect((1...2).contains(processes.count))
        await pool.shutDown()
        #expect(pool.openCount == 0)
        #expect(try await failure { try await pool.use { _ in } }.kind == .unavailable)
    }

    @Test("a transaction that a caller leaves open is rolled back")
    func leftOpen() async throws {
        let pool = try await pool(.init(connections: 1, waitingTime: .seconds(60)))
        try await pool.use { connection in
            try connection.runScript("CREATE TABLE t (a bigint)")
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (1)")
        }
        let count = try await pool.use { connection in
            #expect(connection.transactionStatus == .idle)
            return try connection.integer("SELECT count(*) FROM t")
        }
        #expect(count == 0)
        await pool.shutDown()
    }

    @Test("a connection that is closed by a deadline or the server is replaced for the next caller")
    func replaced() async throws {
        let pool = try await pool(.init(connections: 1, waitingTime: .seconds(60)))
        let late = try await failure {
            try await pool.use { _ = try $0.run("SELECT pg_sleep(60)", within: .milliseconds(50)) }
        }
        #expect(late.kind == .inDoubt)
        let process = try await pool.use { $0.serverProcess }
        let other = try await self.pool()
        try await other.use { _ = try $0.run("SELECT pg_terminate_backend($1)", [.integer(Int64(process))]) }
        // The farewell may arrive after the first next call, which is then refused.
        var next: Int32?
        for _ in 0..<100 where next == nil {
            next = try? await pool.use { connection in
                try connection.run("SELECT 1")
                return connection.serverProcess
            }
        }
        #expect(next != nil && next != process)
        await pool.shutDown()
        await other.shutDown()
    }

    @Test("callers beyond the limit, and those who wait for too long, are refused; the others are served")
    func overloaded() async throws {
        let pool = try await pool(.init(connections: 1, waiting: 2, waitingTime: .milliseconds(300)))
        try await pool.use { _ in }
        let gate = DispatchSemaphore(value: 0)
        let isBusy = DispatchSemaphore(value: 0)
        async let busy: Void = pool.use { _ in
            isBusy.signal()
            gate.wait()
        }
        try await onThread { isBusy.wait() }
        let patient = (0..<2).map { _ in Task { try await failure { try await pool.use { _ in } } } }
        while pool.waitingCount < 2 { try await Task.sleep(for: .milliseconds(5)) }
        let third = try await failure { try await pool.use { _ in } }
        #expect(third.kind == .overloaded && third.message.contains("too many"))
        for task in patient {
            let error = try await task.value
            #expect(error.kind == .overloaded && error.message.contains("in time"))
        }
        gate.signal()
        try await busy
        await pool.shutDown()
    }

    @Test("without a server the reason is told, and callers get it")
    func unavailable() async throws {
        let pool = ConnectionPool(
            try ConnectionSettings("postgresql://u@/db?host=/nonexistent"),
            limits: .init(connections: 1, waitingTime: .milliseconds(300)))
        let error = try await failure { try await pool.use { _ in } }
        #expect(error.kind == .unavailable && error.message.contains("/nonexistent"))
        #expect(pool.lastFailure?.kind == .unavailable)
        await pool.shutDown()
    }

    @Test("callers who wait at the end are served")
    func ending() async throws {
        let pool = try await pool(.init(connections: 1, waitingTime: .seconds(60)))
        let served = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await pool.use { connection in
                        try connection.run("SELECT pg_sleep(0.02)")
                        served.value.withLock { $0 += 1 }
                    }
                }
            }
            while served.value.withLock(\.self) == 0 { try await Task.sleep(for: .milliseconds(5)) }
            await pool.shutDown()
            try await group.waitForAll()
        }
        #expect(served.value.withLock(\.self) == 10)
    }
}
