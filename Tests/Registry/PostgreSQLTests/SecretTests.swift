import Foundation
import Glibc
import PostgreSQL
import PostgreSQLTestSupport
import TestSupport
import Testing

@Suite("TLS and passwords of PostgreSQL")
struct SecretTests {
    private func certificate(
        _ folder: TemporaryFolder, _ name: String
    ) async throws -> (certificate: String, key: String) {
        let (certificate, key) = (folder.file("\(name).crt"), folder.file("\(name).key"))
        let result = try await BuiltProgram(path: "/usr/bin/openssl").run([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ])
        try #require(result.status == 0, "\(result.errors)")
        return (certificate, key)
    }

    @Test("the server’s certificate is verified, and the password comes from a file")
    func verified() async throws {
        let folder = try TemporaryFolder()
        let own = try await certificate(folder, "own")
        let foreign = try await certificate(folder, "foreign")
        let (certificate, key) = try (
            String(contentsOfFile: own.certificate, encoding: .utf8), String(contentsOfFile: own.key, encoding: .utf8)
        )
        let cluster = try await PostgreSQLCluster(settings: ["ssl": "on"], isOnTCP: true) { cluster in
            _ = try cluster.write(certificate, to: "data/server.crt")
            _ = try cluster.write(key, to: "data/server.key")
            let rules = "hostssl all secret 127.0.0.1/32 scram-sha-256\nlocal all all trust\n"
            _ = try cluster.write(rules, to: "data/pg_hba.conf")
        }
        try await cluster.execute("CREATE ROLE secret LOGIN PASSWORD 'hunter2'")
        let (right, wrong) = (folder.file("right"), folder.file("wrong"))
        for (name, password) in [("right", "hunter2"), ("wrong", "hunter3")] {
            let path = try folder.write("127.0.0.1:\(cluster.port):*:secret:\(password)\n", to: name)
            try #require(chmod(path, 0o600) == 0)
        }
        let base = "postgresql://secret@127.0.0.1:\(cluster.port)/postgres?sslmode=verify-full&sslrootcert="
        try await onThread {
            let connection = try open(base + own.certificate + "&passfile=\(right)")
            #expect(connection.isEncrypted)
            #expect(try connection.integer("SELECT 1") == 1)
            let refused: [(url: String, problem: LoginProblem?)] = [
                (base + own.certificate + "&passfile=\(wrong)", .password),
                (base + own.certificate, .passwordMissing),
                (base + foreign.certificate + "&passfile=\(right)", nil),
                (
                    "postgresql://secret@127.0.0.1:\(cluster.port)/postgres?sslmode=disable&passfile=\(right)", .user
                ),
            ]
            for (url, problem) in refused {
                let error = try failure { _ = try open(url) }
                #expect(error.kind == .unavailable && error.loginProblem == problem, "\(error)")
                #expect(!error.description.contains("hunter"))
            }
        }
        await cluster.stop()
    }
}
