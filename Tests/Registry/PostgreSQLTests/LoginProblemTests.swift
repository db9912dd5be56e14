import Glibc
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

@Suite("Why a server admits nobody")
struct LoginProblemTests {
    @Test("the SQLSTATE is taken out of libpq’s message")
    func states() {
        let failed = ConnectionFailure.split("connection failed: FATAL:  28P01: password authentication failed")
        #expect(failed.text == "connection failed: FATAL: password authentication failed")
        #expect(failed.state == "28P01")
        let refused = ConnectionFailure.split("connection to server failed: Connection refused")
        #expect(refused.text == "connection to server failed: Connection refused" && refused.state == nil)
    }

    @Test("a missing user or database, a missing right and a missing file are told apart")
    func problems() async throws {
        let cluster = try await PostgreSQLCluster.shared()
        for statement in [
            "CREATE ROLE outsider LOGIN", "CREATE DATABASE closed", "REVOKE CONNECT ON DATABASE closed FROM PUBLIC",
        ] { try await cluster.execute(statement) }
        let trusted = cluster.url("closed")
        let folder = try TemporaryFolder()
        let readable = try folder.write("*:*:*:*:hunter2\n", to: "readable")
        try #require(chmod(readable, 0o644) == 0)
        let cases: [(url: String, problem: LoginProblem?)] = [
            (cluster.url("none"), .database),
            (trusted.replacing("//findmybike@", with: "//nobody_at_all@"), .user),
            (trusted.replacing("//findmybike@", with: "//outsider@"), .rights),
            (trusted + "&passfile=/nonexistent", .passwordFile), (trusted + "&passfile=\(readable)", .passwordFile),
            ("postgresql://findmybike@/postgres?host=/nonexistent", nil),
        ]
        try await onThread {
            for (url, problem) in cases {
                let error = try failure { _ = try open(url) }
                #expect(error.kind == .unavailable && error.loginProblem == problem, "\(error)")
                #expect(!error.description.contains("LOCATION") && !error.description.contains("hunter"))
            }
        }
    }
}
