import PostgreSQL
import PostgreSQLTestSupport
import Testing

@Suite("Connections to PostgreSQL")
struct ConnectionTests {
    /// Sleeps for a number of seconds on the server.
    static let sleep = "SELECT pg_sleep($1::bigint)"

    @Test("a statement reports how many rows it changed")
    func changes() async throws {
        try await withConnection { connection in
            try connection.runScript("CREATE TABLE t (a bigint PRIMARY KEY, b text); CREATE INDEX i ON t (b)")
            #expect(try connection.run("INSERT INTO t SELECT generate_series(1, 5)") == 5)
            #expect(try connection.run("UPDATE t SET b = $1 WHERE a > $2", [.text("x"), .integer(3)]) == 2)
            #expect(try connection.run("DELETE FROM t WHERE a = 99") == 0)
            #expect(try connection.integer("SELECT a FROM t WHERE a = 99") == nil)
        }
    }

    @Test("errors have their SQLSTATE and constraint, and no value of a row")
    func states() async throws {
        try await withConnection { connection in
            try connection.runScript("CREATE TABLE t (a text CONSTRAINT t_unique UNIQUE)")
            try connection.run("INSERT INTO t VALUES ($1)", [.text("secret")])
            let error = try failure { try connection.run("INSERT INTO t VALUES ($1)", [.text("secret")]) }
            #expect(error.state == "23505" && !error.isRetryable)
            #expect(error.constraint == "t_unique")
            #expect(!error.description.contains("secret"))
            let syntax = try failure { try connection.run("SELEC 1") }
            #expect(syntax.state == "42601" && syntax.kind == .refused)
            #expect(try failure { try connection.runScript("SELECT 1; SELECT 1/0; SELECT 2") }.state == "22012")
            #expect(try connection.integer("SELECT 1") == 1)
        }
    }

    @Test("a serialization failure and a deadlock’s victim can be repeated")
    func retryable() async throws {
        let url = try await PostgreSQLCluster.shared().database()
        try await onThread {
            let (one, two) = (try open(url), try open(url))
            try one.runScript("CREATE TABLE t (a bigint); INSERT INTO t VALUES (1)")
            for connection in [one, two] {
                try connection.begin("ISOLATION LEVEL SERIALIZABLE")
                _ = try connection.integer("SELECT sum(a)::bigint FROM t")
            }
            let error = try failure {
                for connection in [one, two] {
                    try connection.run("INSERT INTO t VALUES (2)")
                    try connection.commit()
                }
            }
            #expect(error.state == "40001" && error.isRetryable)
            try two.rollBack()
            #expect(two.transactionStatus == .idle)
        }
    }

    @Test("a deadline closes the connection; outside a transaction the statement is in doubt")
    func deadline() async throws {
        let url = try await PostgreSQLCluster.shared().database()
        try await onThread {
            let connection = try open(url)
            // Prepared before, so that the deadline cannot pass while the statement is prepared, which is not in doubt.
            try connection.run(Self.sleep, [.integer(0)])
            let late = try failure { try connection.run(Self.sleep, [.integer(60)], within: .milliseconds(50)) }
            #expect(late.kind == .inDoubt)
            #expect(!connection.isOpen)
            #expect(try failure { try connection.run("SELECT 1") }.kind == .connectionLost)
            let second = try open(url)
            try second.begin()
            let error = try failure { try second.run("SELECT pg_sleep(60)", within: .milliseconds(50)) }
            #expect(error.kind == .connectionLost)
        }
    }

    @Test(
        "a visitor of a whole result may use the connection, one of single rows may not",
        arguments: [Fetching.whole, .rowByRow])
    func nested(fetching: Fetching) async throws {
        try await withConnection { connection in
            var kinds: [PostgreSQLError.Kind?] = []
            try connection.visit("SELECT generate_series(1, 3)", [], fetching) { _ in
                do {
                    _ = try connection.integer("SELECT 1")
                    kinds.append(nil)
                } catch let error as PostgreSQLError { kinds.append(error.kind) }
                return true
            }
            #expect(kinds == Array(repeating: fetching == .whole ? nil : .misuse, count: 3))
            #expect(try connection.integer("SELECT 1") == 1)
        }
    }

    @Test("a visitor that stops early or throws leaves the connection usable", arguments: [Fetching.whole, .rowByRow])
    func earlyStop(fetching: Fetching) async throws {
        try await withConnection { connection in
            try connection.begin()
            var seen = 0
            try connection.visit("SELECT generate_series(1, 100000), repeat('x', 100)", [], fetching) { _ in
                seen += 1
                return seen < 3
            }
            #expect(seen == 3)
            #expect(throws: Unexpected.self) {
                try connection.visit("SELECT generate_series(1, 1000)", [], fetching) { _ in
                    throw Unexpected(description: "thrown by the visitor")
                }
            }
            #expect(try connection.integer("SELECT 7") == 7)
            try connection.commit()
        }
    }

    @Test("an error after the first rows is thrown", arguments: [Fetching.whole, .rowByRow])
    func lateError(fetching: Fetching) async throws {
        try await withConnection { connection in
            var seen = 0
            let error = try failure {
                try connection.visit("SELECT 1 / (3 - g) FROM generate_series(1, 5) g", [], fetching) { _ in
                    seen += 1
                    return true
                }
            }
            #expect(error.state == "22012")
            #expect(seen == (fetching == .whole ? 0 : 2))
            #expect(try connection.integer("SELECT 1") == 1)
        }
    }

    @Test("rows are counted in both ways of fetching", arguments: [Fetching.whole, .rowByRow])
    func counts(fetching: Fetching) async throws {
        try await withConnection { connection in
            let ten = try connection.visit("SELECT generate_series(1, 10)", [], fetching) { _ in true }
            let none = try connection.visit("SELECT 1 WHERE false", [], fetching) { _ in true }
            #expect(ten == 10 && none == 0)
        }
    }

    @Test("the number of prepared statements is bounded, and those in use stay")
    func statementLimit() async throws {
        try await withConnection(statementLimit: 5) { connection in
            for number in 0..<50 {
                #expect(try connection.integer("SELECT \(number)::bigint") == Int64(number))
                #expect(try connection.integer("SELECT $1::bigint", [.integer(1)]) == 1)
            }
            let kept = try connection.integer("SELECT count(*) FROM pg_prepared_statements") ?? 0
            #expect(kept <= 7)
            let uses = try connection.integer(
                "SELECT generic_plans + custom_plans FROM pg_prepared_statements WHERE statement = 'SELECT $1::bigint'")
            #expect(uses == 50)
        }
    }

    @Test("a statement that the schema’s change made invalid can be repeated")
    func staleStatement() async throws {
        try await withConnection { connection in
            try connection.runScript("CREATE TABLE t (a bigint); INSERT INTO t VALUES (1)")
            #expect(try connection.integer("SELECT * FROM t") == 1)
            try connection.runScript("ALTER TABLE t ALTER a TYPE integer")
            #expect(try failure { _ = try connection.integer("SELECT * FROM t") }.isRetryable)
            #expect(try connection.integer("SELECT * FROM t") == 1)
        }
    }

    @Test("COPY is refused instead of waiting for ever")
    func copy() async throws {
        try await withConnection { connection in
            try connection.runScript("CREATE TABLE t (a bigint)")
            #expect(throws: PostgreSQLError.self) { try connection.runScript("COPY t FROM STDIN") }
        }
    }
}
