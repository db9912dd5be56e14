import Foundation
import Logging
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("TLS")
struct TLSTests {
    private struct Outcome: Decodable {
        let replaced: Bool
        let kept: Bool
        let version: String
        let hsts: Bool
    }

    @Test("curl trusts the server's certificate, and nothing is served without TLS")
    func curl() async throws {
        let folder = try TemporaryFolder()
        let pair = try await TestCertificate.make("served", in: folder)
        let files = try TLSFiles(certificate: pair.certificate, key: pair.key)
        try await LiveServer.run(ServerOptions(timeouts: .patient, tls: files)) { (server: LiveServer) async throws in
            let trusting = ["--cacert", pair.certificate, "https://localhost:\(server.port)/livez"]
            #expect(try await server.curl(trusting).status == 200)
            #expect(try await server.curl(["--tls-max", "1.1"] + trusting).status == 0)
            #expect(try await server.curl(["http://localhost:\(server.port)/livez"]).status == 0)
        }
    }

    @Test("new connections get a replaced certificate, and open ones continue")
    func replaced() async throws {
        let folder = try TemporaryFolder()
        let old = try await TestCertificate.make("old", in: folder)
        let new = try await TestCertificate.make("new", in: folder)
        let files = try TLSFiles(certificate: old.certificate, key: old.key)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let reloader = TLSReloader(files, every: .milliseconds(10), logger: logger)
        try await LiveServer.run(ServerOptions(timeouts: .patient, tls: files), services: [reloader]) {
            (server: LiveServer) async throws in
            let outcome: Outcome = try await server.meet(
                "certificate", [old.certificate, new.certificate, old.key, new.key]
            )
            #expect(outcome.replaced && outcome.kept && outcome.hsts)
            #expect(outcome.version == "TLSv1.3")
        }
    }

    @Test("a key and certificate that do not match are refused, and the previous files stay in use")
    func misfit() async throws {
        let folder = try TemporaryFolder()
        let one = try await TestCertificate.make("one", in: folder)
        let other = try await TestCertificate.make("other", in: folder)
        #expect(throws: TLSFileError.self) { try TLSFiles(certificate: one.certificate, key: other.key) }
        #expect(throws: TLSFileError.self) { try TLSFiles(certificate: one.key, key: one.key) }
        #expect(throws: TLSFileError.self) { try TLSFiles(certificate: one.certificate, key: one.certificate) }
        #expect(throws: TLSFileError.self) { try TLSFiles(certificate: folder.file("none"), key: one.key) }
        let files = try TLSFiles(certificate: one.certificate, key: one.key)
        let before = files.context
        #expect(try !files.reload())
        _ = try folder.write(try String(contentsOfFile: other.certificate, encoding: .utf8), to: "one.pem")
        #expect(throws: TLSFileError.self) { try files.reload() }
        #expect(files.context === before)
        _ = try folder.write(try String(contentsOfFile: other.key, encoding: .utf8), to: "one.key")
        #expect(try files.reload())
        #expect(files.context !== before)
    }
}
