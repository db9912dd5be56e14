import Foundation
import RegistryAPI
import RegistryRules
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
        let reloader = TLSReloader(files, every: .milliseconds(10), logger: .silent)
        try await LiveServer.run(ServerOptions(timeouts: .patient, tls: files), services: [reloader]) {
            (server: LiveServer) async throws in
            let outcome: Outcome = try await server.meet(
                "certificate", [old.certificate, new.certificate, old.key, new.key]
            )
            #expect(outcome.replaced && outcome.kept && outcome.hsts)
            #expect(outcome.version == "TLSv1.3")
        }
    }

    @Test("a certificate warns from two weeks before its end, after it, and before its beginning; the log once a day")
    func time() async throws {
        let folder = try TemporaryFolder()
        // From now for 30 days.
        let pair = try await TestCertificate.make("timed", in: folder)
        let files = try TLSFiles(certificate: pair.certificate, key: pair.key)
        let end = Timestamp(milliseconds: files.expires * 1000)
        func warning(_ days: Int) -> String? { files.warning(at: end.advanced(by: .days(days))) }
        #expect(warning(-15) == nil && warning(-29) == nil)
        for days in [-14, -1] {
            #expect(warning(days)?.hasPrefix("the certificate in \(pair.certificate) expires on ") == true)
        }
        #expect(warning(0)?.contains("expired on \("\(end)".prefix(10)), and nobody can connect") == true)
        #expect(warning(-40)?.contains("not valid before") == true)
        // At once, each day, and when it expires.
        for (hours, count) in [(-20 * 24, 0), (-14 * 24, 3), (-30, 4), (24, 3)] {
            let lines = LogLines()
            // One look each hour, for two days and a half.
            let clock = ImpatientClock(limit: 60)
            let start = end.advanced(by: .seconds(hours * 3600))
            let reloader = TLSReloader(
                files, every: .seconds(3600), clock: clock,
                wallClock: WallClock { start.advanced(by: clock.now.offset) },
                logger: lines.logger())
            try await reloader.run()
            #expect(lines.text.split(separator: "\n").count == count, "\(hours): \(lines.text)")
        }
    }

    @Test("an authority's certificate that expires before the server's own is named")
    func authority() async throws {
        let folder = try TemporaryFolder()
        let pair = try await TestCertificate.make("own", in: folder)
        let authority = try await TestCertificate.make("authority", days: 20, in: folder)
        let chain = try [pair, authority].map { try String(contentsOfFile: $0.certificate, encoding: .utf8) }.joined()
        let files = try TLSFiles(certificate: try folder.write(chain, to: "chain.pem"), key: pair.key)
        let end = Timestamp(milliseconds: files.expires * 1000)
        func warning(_ days: Int) -> String? { files.warning(at: end.advanced(by: .days(days))) }
        #expect(warning(-29) == nil)
        #expect(
            warning(-20)?.contains("an authority’s certificate") == true && warning(-20)?.contains("expires") == true)
        // Its own end is more urgent.
        #expect(warning(-9)?.contains("the certificate in") == true)
        #expect(warning(-9)?.contains("authority") == false)
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
