import Beacons
import Foundation
import Scanning
import TestSupport
import Testing

@testable import ESPHome

/// A venue's receivers fail in many ways; the person who sets them up must learn what to do.
@Suite(.timeLimit(.minutes(10))) struct FailureTests {
    @Test(
        "a proxy that cannot be used is a failure that says what to do",
        arguments: [
            ("garbage", nil, nil, ProxyError.notESPHome), ("empty", nil, nil, .closed),
            ("", ProxyPeer.key, nil, .keyNeeded), ("", nil, ProxyPeer.key, .keyUnknown),
            ("", ProxyPeer.key, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", .wrongKey),
            ("zero-key", ProxyPeer.key, ProxyPeer.key, .wrongKey),
            ("close-HelloRequest", nil, nil, .closed),
            ("close-DeviceInfoRequest", ProxyPeer.key, ProxyPeer.key, .closed),
            ("close-SubscribeBluetoothLEAdvertisementsRequest", nil, nil, .closed),
            ("new", nil, nil, .tooNew(major: 9)),
            ("password", nil, nil, .passwordNeeded), ("not-a-proxy", nil, nil, .notAProxy), ("old", nil, nil, .tooOld),
            ("failed", nil, nil, .scannerFailed), ("leave", nil, nil, .dismissed),
            ("huge", nil, nil, .notESPHome), ("endless-varint", nil, nil, .notESPHome),
            ("undecodable", nil, nil, .malformed), ("undecodable", ProxyPeer.key, ProxyPeer.key, .malformed),
            ("flood", nil, nil, .malformed), ("forged", ProxyPeer.key, ProxyPeer.key, .forged),
            ("replayed", ProxyPeer.key, ProxyPeer.key, .forged),
        ] as [(String, String?, String?, ProxyError)])
    func failures(fault: String, theirs: String?, ours: String?, error: ProxyError) async throws {
        let peer = try ProxyPeer(key: theirs, fault: fault)
        // Its clock stands still, so that no limit passes on a busy machine; no empty batch comes either.
        let scanner = try peer.scanner(key: ours, clock: SteppedClock())
        let listening = Task { for try await _ in scanner.batches() {} }
        try await eventually("it fails") { scanner.radioHealth.state == .failed }
        let health = scanner.radioHealth
        #expect(health.lastError == error.description)
        #expect(health.isPresent)
        await scanner.stop()
        _ = await listening.result
        peer.kill()
    }

    @Test("a proxy that is not there is absent")
    func absent() async throws {
        let port = try ReservedPort()
        let scanner = try ProxyPeer.scanner(port: port.number)
        let health = try await scanner.listen { $0.state == .failed }
        #expect(!health.isPresent)
        #expect(health.lastError == ProxyError.system(.connect, code: ECONNREFUSED).description)
        await scanner.stop()
    }

    @Test("a name that nobody knows is a failure that says so")
    func unknownName() async throws {
        let scanner = try ProxyPeer.scanner(host: "no-such-proxy.invalid", port: 1)
        let health = try await scanner.listen { $0.state == .failed }
        #expect(!health.isPresent)
        #expect(health.lastError?.contains("name is not known") == true)
        await scanner.stop()
    }

    @Test("a proxy that accepts a connection and then does nothing is given up")
    func silent() async throws {
        let peer = try ProxyPeer(fault: "silent")
        let clock = SteppedClock()
        let scanner = try peer.scanner(clock: clock)
        let listening = Task { for try await _ in scanner.batches() {} }
        // The connection itself may also take too long for a clock that runs this fast.
        let silent = [ProxyError.unanswered(.greeting), .unanswered(.connection)].map(\.description)
        while scanner.radioHealth.state != .failed { await clock.advance(by: .seconds(1), inStepsOf: .seconds(1)) }
        #expect(silent.contains(scanner.radioHealth.lastError ?? ""))
        await scanner.stop()
        _ = await listening.result
        peer.kill()
    }

    @Test("a scanner that stops while it waits for a silent proxy ends at once")
    func stopped() async throws {
        let peer = try ProxyPeer(fault: "silent")
        let scanner = try peer.scanner()
        for try await _ in scanner.batches() { break }
        await scanner.stop()
        #expect(scanner.radioHealth.state == .idle)
        peer.kill()
    }

    @Test("every reason is a sentence, and no other reason has it")
    func sentences() {
        let errors: [ProxyError] = [
            .system(.connect, code: ECONNREFUSED), .system(.read, code: ECONNRESET), .unknownHost(code: -2), .closed,
            .unanswered(.connection), .unanswered(.handshake), .unanswered(.greeting), .unanswered(.information),
            .unanswered(.messages), .keyNeeded, .keyUnknown, .wrongKey, .handshake, .notESPHome, .notAProxy, .tooOld,
            .tooNew(major: 3), .passwordNeeded, .malformed, .forged, .flooding, .unheard, .taken, .silent,
            .scannerFailed, .dismissed, .notScanning, .unavailableStep("reset"),
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
    }
}
