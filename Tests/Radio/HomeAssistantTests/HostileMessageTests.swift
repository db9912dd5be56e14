import Beacons
import Foundation
import TestSupport
import Testing

@testable import HomeAssistant

/// Anyone in the network can pretend to be a Home Assistant: no message may stop a monitor, or keep it busy.
@Suite("Hostile messages of Home Assistant") struct HostileMessageTests {
    @Test("UTF-16, which the decoder would understand, is refused")
    func wide() throws {
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32] {
            let text = try #require(#"{"type":"auth_required"}"#.data(using: encoding))
            #expect(throws: HomeAssistantError.malformed) { try HomeAssistantMessage(Array(text)) }
        }
    }

    /// The square of the number of marks would be minutes.
    @Test("a text of as many combining marks as a message may have is read in a moment", .timeLimit(.minutes(1)))
    func marks() throws {
        let marks = String(repeating: "\u{316}\u{301}", count: WebSocket.longest / 5)
        let texts = [
            "{\"type\":\"event\",\"\(marks)\":1}", "{\"type\":\"\(marks)\"}",
            "{\"type\":\"event\",\"id\":2,\"event\":{\"add\":[{\"manufacturer_data\":{\"\(marks)\":\"00\"}}]}}",
        ]
        for text in texts {
            #expect(throws: HomeAssistantError.malformed) { try HomeAssistantMessage(Array(text.utf8)) }
        }
        var talk = try Conversation.opened()
        try talk.take(#"{"id":1,"type":"event","event":{"add":[{"source":"A","name":"bar"}]}}"#)
        let radio = "{\"source\":\"\(marks)\",\"name\":\"\(marks)\"}"
        try talk.take("{\"id\":1,\"type\":\"event\",\"event\":{\"add\":[\(radio)]}}")
        #expect(talk.dialogue.sources?.map(\.name) == ["bar"])
    }

    @Test("a message of many fragments is put together once, not with each of them", .timeLimit(.minutes(1)))
    func fragments() throws {
        var socket = WebSocket(host: "a", path: "/", nonce: Array("the sample nonce".utf8))
        _ = try socket.take(Array(WebSocketTests.accepted.utf8))
        let size = WebSocket.longest / WebSocket.maximumFragments
        var events: [WebSocket.Event] = []
        for index in 0..<WebSocket.maximumFragments {
            let isLast = index == WebSocket.maximumFragments - 1
            let header: [UInt8] = [isLast ? 0x80 : index == 0 ? 1 : 0, 126, UInt8(size >> 8), UInt8(size & 0xFF)]
            events += try socket.take(header + [UInt8](repeating: 0x20, count: size))
        }
        #expect(events == [.text([UInt8](repeating: 0x20, count: WebSocket.longest))])
    }

    /// Each seed runs independently and reproducibly.
    @Test("random damage to real messages ends in an error or in adverts", arguments: 0..<4 as Range<UInt64>)
    func mutations(seed: UInt64) throws {
        let path = try #require(Bundle.module.path(forResource: "recorded", ofType: "txt", inDirectory: "Fixtures"))
        let recorded = try String(contentsOfFile: path, encoding: .utf8)
            .matches(of: #/< (.*"id":)\d+(.*"rssi".*)/#).map { Array("\($0.1)2\($0.2)".utf8) }
        var random = SeededGenerator(seed: seed)
        var (adverts, errors) = (0, 0)
        for round in 0..<500 {
            var text = recorded[round % recorded.count]
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Int.random(in: 0..<8, using: &random) == 0 {
                text.removeLast(Int.random(in: 0..<text.count, using: &random))
            }
            // They were sent eight seconds apart.
            var talk = try Conversation.opened(date: 1_795_821_291 + Int64(8 * (round % recorded.count)))
            do { try talk.take(text) } catch { errors += 1 }
            adverts += talk.news.adverts.count
            #expect(talk.news.adverts.allSatisfy { $0.data.count <= 2 * 16 * 256 && $0.source.utf8.count <= 64 })
        }
        // Otherwise the damage would be so great, or so small, that nothing is tested.
        #expect(adverts > 100 && errors > 100)
    }
}
