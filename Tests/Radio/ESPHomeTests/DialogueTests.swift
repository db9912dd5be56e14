import Beacons
import Foundation
import Scanning
import TestSupport
import Testing

@testable import ESPHome

/// A hostile proxy may send anything at any time: the conversation must end with an error, and never trap or wait for
/// ever.
@Suite struct DialogueTests {
    private let start = ScanInstant(nanoseconds: 0)

    private func after(_ seconds: Int) -> ScanInstant { start.advanced(by: .seconds(seconds)) }

    /// A reading from no device, and a request for a sign of life.
    private let question: [UInt8] = [0, 4, 73, 8, 1, 16, 1, 0, 0, 7]

    /// A message of a proxy, unencrypted.
    private func bytes(_ type: ProxyMessageType, _ write: (inout ProtobufWriter) -> Void = { _ in }) -> [UInt8] {
        var fields = ProtobufWriter()
        write(&fields)
        return Array(PlainFrames().encode(ProxyFrame(type: type.rawValue, payload: fields.message)))
    }

    /// A conversation without encryption that has subscribed at the start.
    ///
    /// - Parameter refuses: whether the proxy refuses the question that comes with the subscription.
    private func subscribed(features: UInt64 = 0x61, refuses: Bool = false) throws -> ProxyDialogue {
        var dialogue = ProxyDialogue(client: "test", key: nil, at: start)
        _ = try dialogue.open()
        var batch = AdvertisementBatch(time: start)
        _ = try dialogue.take(bytes(.helloResponse), at: start, into: &batch)
        let device = bytes(.deviceInfoResponse) { $0.number(15, features) }
        let request = try dialogue.take(device, at: start, into: &batch)
        #expect(Array(request) == [0, 2, 66, 8, 1] + question)
        if refuses { _ = try dialogue.take(bytes(.gattErrorResponse) { $0.number(1, 1) }, at: start, into: &batch) }
        _ = try dialogue.take([0, 0, 8], at: start, into: &batch)
        return dialogue
    }

    private func reports(_ count: Int) -> [UInt8] {
        bytes(.rawAdvertisementsResponse) { fields in
            for index in 0..<count {
                var report = ProtobufWriter()
                report.number(1, UInt64(index))
                // −50 as sint32.
                report.number(2, 99)
                report.bytes(4, [2, 1, 6])
                fields.bytes(1, report.message)
            }
        }
    }

    private func scanner(_ state: APIBluetoothScannerStateResponse.State) -> [UInt8] {
        bytes(.scannerStateResponse) {
            $0.number(1, UInt64(state.rawValue))
            $0.number(2, UInt64(APIBluetoothScannerMode.active.rawValue))
        }
    }

    @Test("messages are found however they are cut")
    func cuts() throws {
        let all = reports(3) + reports(2)
        for size in 1...all.count {
            var dialogue = try subscribed()
            var batch = AdvertisementBatch(time: start)
            for from in stride(from: 0, to: all.count, by: size) {
                _ = try dialogue.take(Array(all[from..<min(from + size, all.count)]), at: start, into: &batch)
            }
            #expect(batch.advertisements.count == 5)
            #expect(dialogue.listening(at: start) == .hearing)
        }
    }

    @Test("a proxy that stays silent in any step is given up")
    func silent() throws {
        var shaking = ProxyDialogue(client: "test", key: ProxyKey(ProxyPeer.key), at: start)
        _ = try shaking.open()
        #expect(try shaking.tick(at: after(19)).isEmpty)
        #expect(throws: ProxyError.unanswered(.handshake)) { try shaking.tick(at: after(20)) }
        var greeting = ProxyDialogue(client: "test", key: nil, at: start)
        _ = try greeting.open()
        #expect(throws: ProxyError.unanswered(.greeting)) { try greeting.tick(at: after(20)) }
        var batch = AdvertisementBatch(time: start)
        _ = try greeting.take(bytes(.helloResponse), at: after(1), into: &batch)
        // The time is for all steps together, so that a proxy cannot stretch it.
        #expect(throws: ProxyError.unanswered(.information)) { try greeting.tick(at: after(20)) }
    }

    @Test("a proxy that serves another program is told from one that is gone")
    func occupied() throws {
        var dialogue = try subscribed()
        #expect(try dialogue.tick(at: after(4)).isEmpty)
        #expect(dialogue.listening(at: after(4)) == .unproven)
        #expect(throws: ProxyError.unheard) { try dialogue.tick(at: after(5)) }
        // Firmware that does not report the state of its scanner may only have nothing to forward.
        var old = try subscribed(features: 0x21)
        var batch = AdvertisementBatch(time: start)
        #expect(Array(try old.tick(at: after(20))) == [0, 0, 7])
        _ = try old.take([0, 0, 8], at: after(21), into: &batch)
        #expect(old.listening(at: after(59)) == .unproven)
        #expect(throws: ProxyError.unheard) { try old.tick(at: after(60)) }
    }

    @Test("only advertisements prove that a proxy listens")
    func mute() throws {
        var dialogue = try subscribed()
        var batch = AdvertisementBatch(time: start)
        _ = try dialogue.take(scanner(.running), at: after(1), into: &batch)
        #expect(dialogue.listening(at: after(59)) == .unproven)
        _ = try dialogue.take(scanner(.running), at: after(59), into: &batch)
        #expect(dialogue.listening(at: after(60)) == .silent)
        _ = try dialogue.take(reports(1), at: after(61), into: &batch)
        #expect(dialogue.listening(at: after(120)) == .hearing)
        #expect(dialogue.listening(at: after(121)) == .silent)
    }

    @Test("a quiet proxy is asked for a sign of life, and given up without one")
    func quiet() throws {
        var dialogue = try subscribed()
        var batch = AdvertisementBatch(time: start)
        _ = try dialogue.take(reports(1), at: start, into: &batch)
        try answer(&dialogue, at: start, refuses: false)
        #expect(try dialogue.tick(at: after(19)).isEmpty)
        #expect(Array(try dialogue.tick(at: after(20))) == [0, 0, 7])
        #expect(try dialogue.tick(at: after(21)).isEmpty)
        _ = try dialogue.take([0, 0, 8], at: after(22), into: &batch)
        #expect(try dialogue.tick(at: after(41)).isEmpty)
        #expect(Array(try dialogue.tick(at: after(42))) == [0, 0, 7])
        // Half a message is no sign of life.
        _ = try dialogue.take([0, 100], at: after(80), into: &batch)
        #expect(throws: ProxyError.unanswered(.messages)) { try dialogue.tick(at: after(82)) }
    }

    /// Expects the question whether this program is still served, and answers it.
    private func answer(_ dialogue: inout ProxyDialogue, at time: ScanInstant, refuses: Bool) throws {
        #expect(Array(try dialogue.tick(at: time)) == question)
        var batch = AdvertisementBatch(time: time)
        if refuses { _ = try dialogue.take(bytes(.gattErrorResponse) { $0.number(1, 1) }, at: time, into: &batch) }
        _ = try dialogue.take([0, 0, 8], at: time, into: &batch)
    }

    @Test("another program that takes the proxy is noticed within seconds, and twice, as an answer may be lost")
    func taken() throws {
        var dialogue = try subscribed()
        var batch = AdvertisementBatch(time: start)
        _ = try dialogue.take(reports(1), at: start, into: &batch)
        try answer(&dialogue, at: start, refuses: true)
        // While something is heard, there is nothing to ask.
        for second in 1...10 {
            _ = try dialogue.take(reports(1), at: after(second), into: &batch)
            #expect(try dialogue.tick(at: after(second + 1)).isEmpty)
        }
        try answer(&dialogue, at: after(12), refuses: true)
        #expect(try dialogue.tick(at: after(15)).isEmpty)
        try answer(&dialogue, at: after(16), refuses: false)
        #expect(throws: ProxyError.taken) { try answer(&dialogue, at: after(17), refuses: false) }
    }

    @Test("another program that takes the proxy right after the subscription is noticed")
    func takenAtOnce() throws {
        var dialogue = try subscribed(refuses: true)
        var batch = AdvertisementBatch(time: start)
        _ = try dialogue.take(reports(1), at: start, into: &batch)
        #expect(try dialogue.tick(at: after(1)).isEmpty)
        try answer(&dialogue, at: after(2), refuses: false)
        #expect(throws: ProxyError.taken) { try answer(&dialogue, at: after(3), refuses: false) }
    }

    @Test("a lost answer, silence in the air, and refusals of other requests do not look like another program")
    func notTaken() throws {
        var dialogue = try subscribed()
        var batch = AdvertisementBatch(time: start)
        _ = try dialogue.take(scanner(.running), at: start, into: &batch)
        try answer(&dialogue, at: start, refuses: true)
        try answer(&dialogue, at: after(2), refuses: false)
        try answer(&dialogue, at: after(3), refuses: true)
        for time in [7, 15, 31, 63, 95, 127] { try answer(&dialogue, at: after(time), refuses: true) }
        try answer(&dialogue, at: after(159), refuses: false)
        _ = try dialogue.take(reports(1), at: after(160), into: &batch)
        try answer(&dialogue, at: after(162), refuses: false)
        _ = try dialogue.take(bytes(.gattErrorResponse) { $0.number(1, 2) }, at: after(162), into: &batch)
        // A sign of life that nobody has asked for answers nothing.
        for _ in 0..<5 { _ = try dialogue.take([0, 0, 8], at: after(162), into: &batch) }
        try answer(&dialogue, at: after(163), refuses: true)
    }

    @Test("firmware that refuses nothing is not asked again")
    func withoutConnections() throws {
        var dialogue = try subscribed()
        var batch = AdvertisementBatch(time: start)
        _ = try dialogue.take(reports(1), at: start, into: &batch)
        try answer(&dialogue, at: start, refuses: false)
        for second in 1..<20 { #expect(try dialogue.tick(at: after(second)).isEmpty) }
        #expect(Array(try dialogue.tick(at: after(20))) == [0, 0, 7])
    }

    @Test("questions of the proxy are answered, and its end is noticed")
    func questions() throws {
        var dialogue = try subscribed()
        var batch = AdvertisementBatch(time: start)
        #expect(Array(try dialogue.take([0, 0, 7], at: start, into: &batch)) == [0, 0, 8])
        // Messages that nobody knows are skipped.
        #expect(try dialogue.take([0, 3, 0xFF, 0x03, 1, 2, 3], at: start, into: &batch).isEmpty)
        #expect(Array(dialogue.close()) == [0, 0, 5])
        #expect(throws: ProxyError.dismissed) { try dialogue.take([0, 0, 5], at: start, into: &batch) }
    }

    @Test("passive scanning is asked for once, so that two programs do not fight over it")
    func mode() throws {
        var dialogue = try subscribed()
        var batch = AdvertisementBatch(time: start)
        #expect(Array(try dialogue.take(scanner(.running), at: start, into: &batch)) == [0, 0, 127])
        #expect(try dialogue.take(scanner(.running), at: start, into: &batch).isEmpty)
        _ = try dialogue.take(scanner(.failed), at: start, into: &batch)
        #expect(dialogue.listening(at: start) == .failed)
        _ = try dialogue.take(scanner(.running), at: start, into: &batch)
        #expect(dialogue.listening(at: start) == .unproven)
    }

    @Test("a proxy that sends more than a radio can hear is left, and a busy one is not")
    func flood() throws {
        var dialogue = try subscribed()
        var batch = AdvertisementBatch(time: start)
        let half = reports(500)
        for second in 0..<3 {
            for _ in 0..<10 { _ = try dialogue.take(half, at: after(second), into: &batch) }
        }
        #expect(batch.advertisements.count == 15_000)
        #expect(throws: ProxyError.flooding) { try dialogue.take(half, at: after(2), into: &batch) }
    }

    @Test("advertisements before the subscription are not taken")
    func tooEarly() throws {
        var dialogue = ProxyDialogue(client: "test", key: nil, at: start)
        _ = try dialogue.open()
        var batch = AdvertisementBatch(time: start)
        #expect(try dialogue.take(reports(1), at: start, into: &batch).isEmpty)
        #expect(batch.isEmpty)
    }

    @Test("any bytes end in an error or are waited for, in every state", arguments: 0..<200)
    func garbage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var dialogues = [
            try subscribed(), ProxyDialogue(client: "test", key: nil, at: start),
            ProxyDialogue(client: "test", key: ProxyKey(ProxyPeer.key), at: start),
        ]
        let valid = reports(4)
        for index in dialogues.indices {
            _ = try dialogues[index].open()
            var batch = AdvertisementBatch(time: start)
            for _ in 0..<20 {
                var piece = valid
                // Changed valid messages reach further than noise.
                for _ in 0...Int.random(in: 0...4, using: &random) {
                    piece[Int.random(in: 0..<piece.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                piece.removeLast(Int.random(in: 0..<piece.count, using: &random))
                do { _ = try dialogues[index].take(piece, at: start, into: &batch) } catch { break }
            }
            #expect(batch.advertisements.count <= 20 * ProxyDialogue.maximumReports)
        }
    }
}

@Suite struct ProxySettingsTests {
    @Test(
        "an address is a host with or without a port",
        arguments: [
            ("10.0.0.7", ProxyAddress(host: "10.0.0.7")),
            ("cafe.local:6054", ProxyAddress(host: "cafe.local", port: 6054)),
            ("fe80::1%eth0", ProxyAddress(host: "fe80::1%eth0")), ("[::1]:7", ProxyAddress(host: "::1", port: 7)),
            ("[::1]", ProxyAddress(host: "::1")), ("", nil), (":6053", nil), ("host:", nil), ("host:0", nil),
            ("host:65536", nil), ("host:+7", nil), ("a b", nil), ("http://host", nil), ("[::1]x", nil), ("[::1", nil),
            (String(repeating: "a", count: 254), nil),
        ] as [(String, ProxyAddress?)])
    func addresses(text: String, address: ProxyAddress?) {
        #expect(ProxyAddress(text) == address)
        if let address { #expect(ProxyAddress(address.description) == address) }
    }

    @Test("a key is 32 bytes in Base64", arguments: ["", "abc", "QRTIErOb/fcE9Ukd/5qA3RGYMn0Y+p06U58SCtOXvA==", "é"])
    func keys(text: String) {
        #expect(ProxyKey(text) == nil)
        #expect(ProxyKey(ProxyPeer.key) != nil)
    }

    @Test("the waits between attempts double, vary, and begin again after a success")
    func backoff() {
        var backoff = ReceiverBackoff()
        let waits = (0..<8).map { _ in backoff.wait(after: .zero, random: 0) }
        #expect(waits.map(\.seconds) == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(backoff.wait(after: .zero, random: 0.5) == .seconds(45))
        #expect(backoff.wait(after: .seconds(60), random: 0.999).seconds > 0.5)
        #expect(backoff.wait(after: .zero, random: 0) == .seconds(2))
    }
}
