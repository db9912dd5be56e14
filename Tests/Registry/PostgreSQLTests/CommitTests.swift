import PostgreSQL
import PostgreSQLTestSupport
import Testing

@Suite("Commits in doubt")
struct CommitTests {
    /// A table whose commits take a minute.
    private static let slow = """
        CREATE TABLE t (a bigint);
        CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION wait();
        """

    @Test("a server process that is terminated during a commit leaves it in doubt")
    func terminated() async throws {
        let url = try await PostgreSQLCluster.shared().database()
        let connection = try await onThread {
            let connection = try open(url)
            try connection.runScript(Self.slow)
            return Lent(connection)
        }
        let process = connection.value.serverProcess
        async let killed: Void = onThread {
            let other = try open(url)
            try eventually {
                try other.integer(
                    "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND query = 'COMMIT' AND state = 'active'",
                    [.integer(Int64(process))]) == 1
            }
            try other.run("SELECT pg_terminate_backend($1)", [.integer(Int64(process))])
        }
        try await onThread {
            let connection = connection.value
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (1)")
            let error = try failure { try connection.commit() }
            #expect(error.kind == .inDoubt && !error.isRetryable)
            #expect(!connection.isOpen)
        }
        try await killed
    }

    @Test("a commit whose answer is late is in doubt")
    func late() async throws {
        try await withConnection { connection in
            try connection.runScript(Self.slow)
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (1)")
            #expect(try failure { try connection.commit(within: .milliseconds(100)) }.kind == .inDoubt)
        }
    }

    @Test("a server process that is terminated before the commit has committed nothing")
    func terminatedBefore() async throws {
        try await withConnection { connection in
            try connection.begin()
            let error = try failure { try connection.run("SELECT pg_terminate_backend(pg_backend_pid())") }
            #expect(error.kind == .connectionLost && error.state == "57P01")
        }
    }

    @Test("a commit that stopped waiting for its standby is in doubt, although the server reports success")
    func cancelledWait() async throws {
        let cluster = try await PostgreSQLCluster(
            settings: ["synchronous_standby_names": "nobody", "synchronous_commit": "local"])
        let url = try await cluster.database()
        try await onThread {
            let connection = try open(url)
            try connection.runScript("CREATE TABLE t (a bigint)")
            try connection.runScript("SET synchronous_commit = on")
            let other = try open(url)
            // The cancelling connection waits on the server, so that this thread can commit.
            try other.begin()
            let process = Int64(connection.serverProcess)
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (1)")
            let canceller = Lent(other)
            let cancelled = Task {
                try await onThread {
                    try eventually {
                        try canceller.value.integer(
                            "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'",
                            [.integer(process)]) == 1
                    }
                    try canceller.value.run("SELECT pg_cancel_backend($1)", [.integer(process)])
                }
            }
            let error = try failure { try connection.commit() }
            #expect(error.kind == .inDoubt && error.state == "01000")
            #expect(!connection.isOpen)
            withExtendedLifetime(cancelled) {}
        }
        await cluster.stop()
    }

    @Test("a failed transaction is not committed, and COMMIT says so")
    func failed() async throws {
        try await withConnection { connection in
            try connection.runScript("CREATE TABLE t (a bigint)")
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (1)")
            #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1/0") }
            #expect(connection.transactionStatus == .failed)
            let error = try failure { try connection.commit() }
            #expect(error.kind == .refused && error.state == "25P02")
            #expect(try connection.integer("SELECT count(*) FROM t") == 0)
            #expect(try failure { try connection.commit() }.kind == .misuse)
        }
    }

    @Test("a body that throws rolls its transaction back")
    func rollback() async throws {
        try await withConnection { connection in
            try connection.runScript("CREATE TABLE t (a bigint)")
            #expect(throws: Unexpected.self) {
                try connection.transaction { connection in
                    try connection.run("INSERT INTO t VALUES (1)")
                    throw Unexpected(description: "thrown by the body")
                }
            }
            let count = try connection.transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY") {
                try $0.integer("SELECT count(*) FROM t")
            }
            #expect(count == 0)
            #expect(connection.transactionStatus == .idle)
        }
    }
}

/// Hands a connection from one thread to another.
///
/// Unchecked: the giver does not use it any longer.
final class Lent: @unchecked Sendable {
    let value: Connection
    init(_ value: Connection) { self.value = value }
}
