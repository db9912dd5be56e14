/// Certificates for tests.
public enum TestCertificate {
    /// A self-signed certificate for `localhost` and its key, created by openssl.
    public static func make(
        _ name: String, days: Int = 30, in folder: TemporaryFolder
    ) async throws -> (certificate: String, key: String) {
        let pair = (folder.file("\(name).pem"), folder.file("\(name).key"))
        let result = try await BuiltProgram(path: "/usr/bin/openssl").run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "\(days)",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", pair.0, "-keyout", pair.1,
        ])
        guard result.status == 0 else { throw Uncreated(description: result.errors) }
        return pair
    }

    public struct Uncreated: Error, CustomStringConvertible {
        public let description: String
    }
}
