import PostgreSQL
import PostgreSQLTestSupport
import Testing

@Suite("Pipelines of statements")
struct PipelineTests {
    @Test("results come in the order of the statements")
    func order() async throws {
        try await withConnection { connection in
            let results = try connection.pipeline(
                (0..<100).map { Statement("SELECT $1::bigint + $2::bigint", [.integer($0), .integer(1000)]) }
                    + [Statement("SELECT 'end'")])
            #expect(results.dropLast().map { $0[0].integer(0) } == (0..<100).map { $0 + 1000 })
            #expect(results.last?[0].text(0) == "end")
            #expect(results[0].count == 1 && results[0].changes == 1)
            #expect(try connection.pipeline([]).isEmpty)
        }
    }

    @Test("an error in the middle keeps the rest from running, and the connection usable")
    func errorInTheMiddle() async throws {
        try await withConnection { connection in
            try connection.runScript("CREATE TABLE t (a bigint UNIQUE)")
            let insert = "INSERT INTO t VALUES ($1)"
            let statements = [1, 2, 2, 3].map { Statement(insert, [.integer($0)]) }
            let error = try failure { _ = try connection.pipeline(statements) }
            #expect(error.state == "23505" && error.statement == 2)
            #expect(try connection.integer("SELECT count(*) FROM t") == 0)

            try connection.begin()
            _ = try connection.pipeline(Array(statements.prefix(2)))
            #expect(try failure { _ = try connection.pipeline(statements) }.statement == 0)
            #expect(connection.transactionStatus == .failed)
            try connection.rollBack()
            #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        }
    }

    @Test("a statement that cannot be prepared is named, and those before it stay prepared")
    func unprepared() async throws {
        try await withConnection { connection in
            let error = try failure {
                _ = try connection.pipeline([Statement("SELECT 1"), Statement("SELEC 2"), Statement("SELECT 3")])
            }
            #expect(error.state == "42601" && error.statement == 1)
            #expect(try connection.pipeline([Statement("SELECT 1"), Statement("SELECT 3")]).count == 2)
        }
    }

    @Test("a parameter that does not fit is refused before anything is sent")
    func badParameter() async throws {
        try await withConnection { connection in
            let error = try failure {
                _ = try connection.pipeline([Statement("SELECT 1"), Statement("SELECT $1::text", [.text("\0")])])
            }
            #expect(error.kind == .invalidParameter && error.statement == 1)
        }
    }

    @Test("megabytes in both directions do not block each other")
    func large() async throws {
        try await withConnection { connection in
            let bytes = [UInt8](repeating: 1, count: 1 << 20)
            let results = try connection.pipeline(
                (0..<20).map { _ in Statement("SELECT $1::bytea", [.bytes(bytes)]) })
            #expect(results.allSatisfy { $0[0].blob(0).elementsEqual(bytes) })
        }
    }

    @Test("a whole transaction fits into a pipeline")
    func transaction() async throws {
        try await withConnection { connection in
            try connection.runScript("CREATE TABLE t (a bigint)")
            _ = try connection.pipeline([
                Statement("BEGIN"), Statement("INSERT INTO t VALUES ($1)", [.integer(1)]), Statement("COMMIT"),
            ])
            #expect(connection.transactionStatus == .idle)
            #expect(try connection.integer("SELECT count(*) FROM t") == 1)
        }
    }

    @Test("a server process that is terminated within a pipeline leaves its commit in doubt")
    func terminated() async throws {
        try await withConnection { connection in
            let statements = [
                Statement("BEGIN"), Statement("SELECT pg_terminate_backend(pg_backend_pid())"), Statement("COMMIT"),
            ]
            let error = try failure { _ = try connection.pipeline(statements) }
            #expect(error.kind == .inDoubt && error.statement == 1 && error.state == "57P01", "\(error)")
            #expect(!connection.isOpen)
        }
    }
}
