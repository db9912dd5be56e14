import RegistryTestSupport
import TestSupport
import Testing

/// Certificates for tests.
enum TestCertificate {
    /// A self-signed certificate for `localhost` and its key, created by openssl.
    static func make(
        _ name: String, days: Int = 30, in folder: TemporaryFolder
    ) async throws -> (certificate: String, key: String) {
        let pair = (folder.file("\(name).pem"), folder.file("\(name).key"))
        let result = try await BuiltProgram(path: "/usr/bin/openssl").run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "\(days)",
            "-subj",
            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", pair.0, "-keyout", pair.1,
        ])
        #expect(result.status == 0, "\(result.errors)")
        return pair
    }
}
