import Beacons
import Foundation
import HTTPClient
import Scanning
import Synchronization
import TestSupport
import Testing

@testable import HomeAssistant

/// The scanner with a WebSocket server that was not written here: see Fixtures/home_assistant.py.
///
/// The clock stands still unless a test advances it, so that no limit passes while a busy machine is slow. A scanner whose
/// conversation has ended has two sleeps: the one until the next tick, and the one until the next attempt.
@Suite("Listening through Home Assistant", .timeLimit(.minutes(10))) struct ListeningTests {
    private static let token = "a.long-lived.access-token"

    private func peer(_ fault: String = "", _ more: [String] = []) throws -> PythonPeer {
        try PythonPeer(
            try #require(Bundle.module.path(forResource: "home_assistant", ofType: "py", inDirectory: "Fixtures")),
            ["--fault", fault] + more, interpreter: Repository.path(".build/venv/bin/python"),
            remedy: "run ‘scripts/prepare.sh tests’, which installs websockets in .build/venv")
    }

    private func scanner(
        port: Int, host: String = "http://127.0.0.1", path: String = "", authority: String? = nil,
        clock: SteppedClock = SteppedClock(),
        token: @escaping @Sendable () -> Result<String, HomeAssistantError> = { .success(Self.token) }
    ) throws -> HomeAssistantScanner {
        let address = try #require(HomeAssistantAddress("\(host):\(port)\(path)"))
        var server = HomeAssistantScanner.Server(
            name: "home", address: address, certificateAuthority: authority, names: ["AA:00:00:00:00:02": "door"],
            token: token)
        server.connectionTime = .seconds(3600)
        return HomeAssistantScanner(server, clock: clock, random: { 0.5 })
    }

    /// Listens until the scanner is stopped; counts the batches with adverts.
    private func listen(to scanner: HomeAssistantScanner, _ heard: Tally = Tally()) -> Task<Void, any Error> {
        Task { for try await batch in scanner.batches() where !batch.advertisements.isEmpty { heard.add() } }
    }

    /// Listens until the conversation has failed, and then while the body runs.
    private func failing(_ scanner: HomeAssistantScanner, _ clock: SteppedClock, _ body: () -> Void) async {
        let listening = listen(to: scanner)
        await clock.sleepers(2)
        #expect(scanner.radioHealth.state == .failed)
        body()
        await scanner.stop()
        _ = await listening.result
    }

    @Test("what each proxy hears is heard, under its name")
    func heard() async throws {
        let peer = try peer()
        let scanner = try scanner(port: peer.port)
        var heard: [String: Int] = [:]
        for try await batch in scanner.batches() {
            for advert in batch.advertisements {
                let beacon = IBeacon(advertisingData: batch.bytes.span.bytes.extracting(advert.data))
                #expect(beacon != nil)
                heard[batch.radio ?? "", default: 0] += 1
            }
            guard heard.count == 2 else { continue }
            // Whoever leaves the sequence ends listening.
            #expect(scanner.radioHealth.state == .scanning)
            #expect(scanner.radioHealth.reports == 2)
            #expect(scanner.parts.map(\.adapter) == ["door", "home.kitchen"])
            #expect(scanner.parts.allSatisfy { $0.state == .scanning && $0.reports == 1 })
            break
        }
        #expect(heard == ["door": 1, "home.kitchen": 1])
        await scanner.stop()
        #expect(scanner.radioHealth.state == .idle)
        #expect(scanner.parts.allSatisfy { $0.state == .idle })
        peer.kill()
    }

    @Test("a radio listens once anything was heard, and not because Home Assistant names it")
    func unheard() async throws {
        let peer = try peer("deaf")
        let scanner = try scanner(port: peer.port)
        let listening = listen(to: scanner)
        try await eventually("both radios are known") { scanner.parts.count == 2 }
        #expect(scanner.parts.map(\.adapter) == ["door", "home.kitchen"])
        #expect(scanner.parts.allSatisfy { $0.state == .starting })
        await scanner.stop()
        _ = await listening.result
        peer.kill()
    }

    @Test("behind a history of 40 MiB, as 100,000 addresses in the air make it, each proxy is still heard")
    func crowd() async throws {
        let peer = try peer("crowd")
        let scanner = try scanner(port: peer.port)
        let heard = Tally()
        let listening = listen(to: scanner, heard)
        try await heard.reach(2)
        #expect(scanner.radioHealth.malformed == 1)
        #expect(scanner.radioHealth.recoveries.isEmpty)
        #expect(scanner.parts.allSatisfy { $0.reports >= 1 })
        await scanner.stop()
        _ = await listening.result
        peer.kill()
    }

    @Test("after a restart of Home Assistant it listens again")
    func restarted() async throws {
        let peer = try peer("restart")
        let clock = SteppedClock()
        let scanner = try scanner(port: peer.port, clock: clock)
        let heard = Tally()
        let listening = listen(to: scanner, heard)
        // A history makes a batch for each proxy.
        try await heard.reach(2)
        await clock.advancePastSleeps(of: 2)
        #expect(scanner.radioHealth.lastError == HomeAssistantError.closed.description)
        try await heard.reach(4)
        #expect(scanner.radioHealth.state == .scanning)
        #expect(scanner.parts.allSatisfy { $0.state == .scanning })
        #expect(scanner.radioHealth.recoveries[.reopen] == 1)
        await scanner.stop()
        _ = await listening.result
        peer.kill()
    }

    /// The second to the sixth connection authenticate and are closed before a history, 24 s before the next one, and
    /// 47 s in all. The seventh reports a beacon that was heard 50 s before, within the tolerance of 5 s.
    @Test("what was heard in an outage is not lost if Home Assistant answers something in between")
    func missed() async throws {
        let peer = try peer("stutter")
        let clock = SteppedClock()
        let scanner = try scanner(port: peer.port, clock: clock)
        let heard = Tally()
        let listening = listen(to: scanner, heard)
        for _ in 1...6 { await clock.advancePastSleeps(of: 2) }
        // The first history makes a batch for each proxy.
        try await heard.reach(3)
        await scanner.stop()
        _ = await listening.result
        peer.kill()
    }

    @Test(
        "a Home Assistant that cannot be used is a failure that says what to do, for each of its radios, too",
        arguments: [
            ("plain", "", HomeAssistantError.notAdministrator), ("old", "", .tooOld(version: "2024.12.5")),
            ("banned", "", .status(403)), ("", "/folder", .status(404)), ("garbage", "", .malformed),
            ("binary", "", .malformed), ("huge", "", .tooLarge),
        ])
    func failures(fault: String, path: String, error: HomeAssistantError) async throws {
        let peer = try peer(fault)
        let clock = SteppedClock()
        let scanner = try scanner(port: peer.port, path: path, clock: clock)
        await failing(scanner, clock) {
            #expect(scanner.radioHealth.lastError == error.description)
            #expect(scanner.parts.map(\.lastError) == [error.description])
            #expect(scanner.radioHealth.isPresent)
        }
        peer.kill()
    }

    @Test("a refused token is not sent again; another one is tried once it is in the file")
    func token() async throws {
        let peer = try peer()
        let token = Mutex("a.revoked.token")
        let reads = Tally()
        let clock = SteppedClock()
        let scanner = try scanner(port: peer.port, clock: clock) {
            reads.add()
            return .success(token.withLock(\.self))
        }
        let heard = Tally()
        let listening = listen(to: scanner, heard)
        await clock.sleepers(2)
        #expect(scanner.radioHealth.state == .failed)
        #expect(scanner.radioHealth.lastError == HomeAssistantError.tokenRefused.description)
        token.withLock { $0 = Self.token }
        await clock.advancePastSleeps(of: 2)
        try await heard.reach(1)
        #expect(scanner.radioHealth.state == .scanning)
        #expect(reads.count >= 2)
        await scanner.stop()
        _ = await listening.result
        peer.kill()
    }

    @Test("a token does not travel unencrypted to an address in the Internet")
    func unencrypted() async throws {
        let address = try #require(HomeAssistantAddress("http://93.184.215.14:1"))
        let scanner = HomeAssistantScanner(.init(name: "home", address: address, token: { .success(Self.token) }))
        for try await _ in scanner.batches() where scanner.radioHealth.state == .failed { break }
        #expect(scanner.radioHealth.lastError?.contains("use https://") == true)
        await scanner.stop()
    }

    @Test("over TLS it is heard with a certificate of the house's own authority, and with no other")
    func encrypted() async throws {
        let folder = try TemporaryFolder()
        let right = try await TestCertificate.make("right", in: folder)
        let wrong = try await TestCertificate.make("wrong", in: folder)
        let peer = try peer("", ["--tls", right.certificate, right.key])
        let trusting = try scanner(port: peer.port, host: "https://localhost", authority: right.certificate)
        let heard = Tally()
        let listening = listen(to: trusting, heard)
        try await heard.reach(2)
        #expect(trusting.radioHealth.state == .scanning)
        await trusting.stop()
        _ = await listening.result
        let distrusted = [
            ("https://localhost", wrong.certificate), ("https://localhost", nil),
            ("https://127.0.0.1", right.certificate),
        ]
        for (host, authority) in distrusted {
            let clock = SteppedClock()
            let scanner = try scanner(port: peer.port, host: host, authority: authority, clock: clock)
            await failing(scanner, clock) {
                #expect(scanner.radioHealth.lastError?.contains("certificate is not trusted") == true)
                #expect(scanner.radioHealth.lastError?.contains("set certificateAuthority") == true)
                #expect(scanner.parts.map(\.state) == [.failed])
            }
        }
        let time = SteppedClock()
        let unencrypted = try scanner(port: peer.port, clock: time)
        await failing(unencrypted, time) { #expect(unencrypted.radioHealth.lastError != nil) }
        peer.kill()
    }

    @Test("one that is not there is absent")
    func absent() async throws {
        let clock = SteppedClock()
        let scanner = try scanner(port: try ReservedPort().number, clock: clock)
        await failing(scanner, clock) {
            #expect(!scanner.radioHealth.isPresent)
            #expect(scanner.radioHealth.lastError?.contains("cannot be reached") == true)
        }
    }

    @Test("one that accepts a connection and then does nothing is given up, and stopping does not wait for it")
    func silent() async throws {
        let peer = try peer("silent")
        let clock = SteppedClock()
        let scanner = try scanner(port: peer.port, clock: clock)
        let listening = listen(to: scanner)
        try await eventually("it is given up") {
            await clock.advance(by: .seconds(1), inStepsOf: .seconds(1))
            return scanner.radioHealth.state == .failed
        }
        #expect(scanner.radioHealth.lastError == HomeAssistantError.unanswered(.greeting).description)
        await scanner.stop()
        _ = await listening.result
        peer.kill()
    }

    @Test("every reason is a sentence, and no other reason has it")
    func sentences() {
        let errors: [HomeAssistantError] = [
            .connection(.addressRefused("1.1.1.1")), .connection(.transfer(code: 7, message: "refused")),
            .connection(.transfer(code: 60, message: "self-signed")), .closed, .unanswered(.greeting),
            .unanswered(.authentication), .unanswered(.history), .status(301), .status(403), .status(404), .status(502),
            .status(418), .malformed, .tooLarge, .flooding, .noToken("no token"), .tokenRefused, .notAdministrator,
            .tooOld(version: "2024.1.1"), .noBluetooth, .refused(code: "x"), .noSource, .silent,
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
    }
}
