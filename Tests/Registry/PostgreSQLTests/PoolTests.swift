import Foundation
import PostgreSQL
import PostgreSQLTestSupport
import TestSupport
import Testing

@Suite("The pool of connections")
struct PoolTests {
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

    @Test("a long read, and the end of a pool, hold up no task that is cancelled")
    func cancelled() async throws {
        let pool = try await pool(.init(connections: 1, waitingTime: .seconds(60)))
        let (processes, started) = AsyncStream<Int32>.makeStream()
        let reading = Task {
            try await pool.read { connection in
                started.yield(connection.serverProcess)
                _ = try connection.run(ConnectionTests.sleep, [.integer(600)], within: .seconds(600))
            }
        }
        let process = try #require(await processes.first { _ in true })
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        let ending = Task { await pool.shutDown() }
        ending.cancel()
        await ending.value
        #expect(pool.openCount == 1)
        let other = try await self.pool()
        try await other.use { _ = try $0.run("SELECT pg_terminate_backend($1)", [.integer(Int64(process))]) }
        await other.shutDown()
        await pool.shutDown()
        #expect(try await failure { try await pool.read { _ in } }.kind == .unavailable)
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
            try await pool.use { connection in
                try connection.run(ConnectionTests.sleep, [.integer(0)])
                try connection.run(ConnectionTests.sleep, [.integer(60)], within: .milliseconds(50))
            }
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

    @Test("a caller beyond the limit is refused at once, and the others are served")
    func overloaded() async throws {
        let pool = try await pool(.init(connections: 1, waiting: 2, waitingTime: .seconds(60)))
        try await whileBusy(pool) { free in
            try await withThrowingTaskGroup(of: PostgreSQLError?.self) { group in
                for _ in 0..<3 { group.addTask { await refusal(by: pool) } }
                // Of the three, one finds the two others waiting.
                let first = try #require(try await group.next().flatMap(\.self))
                #expect(first.kind == .overloaded && first.message.contains("too many"))
                free()
                for try await refusal in group { #expect(refusal == nil) }
            }
        }
        await pool.shutDown()
    }

    @Test("a caller who waits for too long is refused")
    func late() async throws {
        let pool = try await pool(.init(connections: 1, waitingTime: .milliseconds(300)))
        try await whileBusy(pool) { free in
            let error = try #require(await refusal(by: pool))
            #expect(error.kind == .overloaded && error.message.contains("in time"))
            free()
        }
        await pool.shutDown()
    }

    private func refusal(by pool: ConnectionPool) async -> PostgreSQLError? {
        do {
            try await pool.use { _ in }
            return nil
        } catch {
            return error as? PostgreSQLError
        }
    }

    /// Runs the body while the pool's only connection is in use, until the body frees it.
    private func whileBusy(
        _ pool: ConnectionPool, _ body: (_ free: @escaping @Sendable () -> Void) async throws -> Void
    ) async throws {
        try await pool.use { _ in }
        let gate = DispatchSemaphore(value: 0)
        let (beginning, began) = AsyncStream.makeStream(of: Void.self)
        async let busy: Void = pool.use { _ in
            began.yield()
            gate.wait()
        }
        _ = await beginning.first { true }
        // Also if the body throws.
        defer { gate.signal() }
        try await body { gate.signal() }
        try await busy
    }

    @Test("without a server the reason is told, and callers get it")
    func unavailable() async throws {
        let pool = ConnectionPool(
            try ConnectionSettings("postgresql://u@/db?host=/nonexistent"),
            limits: .init(connections: 1, waitingTime: .milliseconds(300)))
        // Otherwise a busy machine may only know that no connection became free.
        try await eventually("an attempt has failed") { pool.lastFailure != nil }
        let error = try await failure { try await pool.use { _ in } }
        #expect(error.kind == .unavailable && error.message.contains("/nonexistent"))
        #expect(pool.lastFailure?.kind == .unavailable)
        await pool.shutDown()
    }

    @Test("callers who wait at the end are served")
    func ending() async throws {
        let pool = try await pool(.init(connections: 1, waitingTime: .seconds(60)))
        let served = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await pool.use { connection in
                        try connection.run("SELECT pg_sleep(0.02)")
                        served.add()
                    }
                }
            }
            try await served.reach(1)
            await pool.shutDown()
            try await group.waitForAll()
        }
        #expect(served.count == 10)
    }
}
