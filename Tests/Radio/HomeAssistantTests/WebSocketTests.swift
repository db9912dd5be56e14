import Testing

@testable import HomeAssistant

@Suite("The client's side of a WebSocket") struct WebSocketTests {
    /// The key and its acceptance are those of RFC 6455, section 1.3.
    private var socket = WebSocket(host: "ha.local:8123", path: "/api/websocket", nonce: Array("the sample nonce".utf8))
    static let accepted = """
        HTTP/1.1 101 Switching Protocols\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
        Date: Sun, 06 Nov 1994 08:49:37 GMT\r
        \r

        """

    @Test("the request is that of the specification")
    func request() {
        let text = String(decoding: socket.request, as: UTF8.self)
        #expect(text.hasPrefix("GET /api/websocket HTTP/1.1\r\nHost: ha.local:8123\r\n"))
        #expect(text.contains("\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test("bytes may arrive one by one, with a message right behind the answer")
    mutating func pieces() throws {
        let bytes = Array(Self.accepted.utf8) + [0x81, 0x02] + Array("hi".utf8)
        var events: [WebSocket.Event] = []
        for byte in bytes { events += try socket.take([byte]) }
        #expect(events == [.opened(date: 784_111_777), .text(Array("hi".utf8))])
    }

    @Test("fragments make one message, with a ping between them")
    mutating func fragments() throws {
        _ = try socket.take(Array(Self.accepted.utf8))
        let events = try socket.take([0x01, 1, 0x61, 0x89, 1, 0x70, 0x00, 1, 0x62, 0x80, 0])
        #expect(events == [.ping([0x70]), .text(Array("ab".utf8))])
    }

    @Test("long messages have longer lengths")
    mutating func lengths() throws {
        _ = try socket.take(Array(Self.accepted.utf8))
        let text = [UInt8](repeating: 0x61, count: 70_000)
        let frame: [UInt8] = [0x81, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70] + text
        #expect(try socket.take(Array(frame.prefix(9))).isEmpty)
        #expect(try socket.take(Array(frame.dropFirst(9))) == [.text(text)])
        #expect(try socket.take([0x81, 126, 0, 200] + text.prefix(200)) == [.text(Array(text.prefix(200)))])
    }

    @Test("a message that is too long is passed over, however it arrives", arguments: [1 << 20, 16 << 20])
    mutating func tooLong(piece: Int) throws {
        var socket = socket
        _ = try socket.take(Array(Self.accepted.utf8))
        let long = [0x81, 127, 0, 0, 0, 0, 0, 0x80, 0, 1] + [UInt8](repeating: 0x20, count: WebSocket.longest + 1)
        let bytes = long + [0x81, 1, 0x61]
        var events: [WebSocket.Event] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            events += try socket.take(Array(bytes[start..<min(bytes.count, start + piece)]))
        }
        #expect(events == [.tooLong, .text([0x61])])
    }

    @Test("one of any length is passed over as it arrives, in fragments, too")
    mutating func tooLongInFragments() throws {
        _ = try socket.take(Array(Self.accepted.utf8))
        let header: [UInt8] = [0x01, 127, 0, 0, 0, 1, 0, 0, 0, 0]
        var events = try socket.take([0x01, 1, 0x61, 0x00, 127, 0, 0, 0, 0, 0, 0x80, 0, 0])
        #expect(socket.isReceiving && !socket.isSkipping)
        let mebibyte = [UInt8](repeating: 0x20, count: 1 << 20)
        for _ in 0..<8 { events += try socket.take(mebibyte) }
        #expect(socket.isSkipping)
        events += try socket.take([0x89, 1, 0x70, 0x80, 1, 0x62, 0x81, 1, 0x63])
        #expect(events == [.ping([0x70]), .tooLong, .text([0x63])])
        #expect(!socket.isReceiving)
        #expect(try socket.take(header + mebibyte).isEmpty)
        #expect(socket.isSkipping)
    }

    @Test(
        "an answer that opens nothing is refused",
        arguments: [
            ("HTTP/1.1 403 Forbidden\r\n\r\n", HomeAssistantError.status(403)),
            ("HTTP/1.1 302\r\nLocation: https://a/\r\n\r\n", .status(302)),
            ("\r\n\r\n", .malformed), ("HTTP/1.1\r\n\r\n", .malformed), ("SSH-2.0-OpenSSH_9\r\n\r\n", .malformed),
            ("HTTP/1.1 99999999999999999999\r\n\r\n", .malformed),
            ("HTTP/1.1 101 Yes\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOp=\r\n\r\n", .malformed),
            ("HTTP/1.1 101 Yes\r\nwithout a colon\r\n\r\n", .malformed),
            ("HTTP/1.1 101 Yes\r\n\u{316}\u{301}: a\r\n\r\n", .malformed),
            (
                accepted.replacing("Date:", with: "Sec-WebSocket-Extensions: permessage-deflate\r\nDate:"), .malformed
            ),
            (String(repeating: "x", count: WebSocket.longestHeader + 1), .malformed),
        ])
    mutating func refused(answer: String, error: HomeAssistantError) {
        var socket = socket
        #expect(throws: error) { try socket.take(Array(answer.utf8)) }
    }

    @Test(
        "frames that the protocol does not allow, or that are too long, are refused before they are complete",
        arguments: [
            ([0x81, 0x80, 0, 0, 0, 0], HomeAssistantError.malformed), ([0xC1, 0], .malformed), ([0x82, 0], .malformed),
            ([0x83, 0], .malformed), ([0x80, 0], .malformed), ([0x01, 0, 0x81, 0], .malformed),
            ([0x09, 0], .malformed),
            ([0x89, 126, 0, 126], .malformed),
            ([0x81, 127, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .tooLarge),
            ([0x81, 127, 0, 0, 1, 0, 0, 0, 0, 1], .tooLarge), ([0x80, 127, 0, 0, 0, 1, 0, 0, 0, 0], .malformed),
            ([0x01, 0] + (0..<WebSocket.maximumFragments).flatMap { _ in [0, 0] as [UInt8] }, .tooLarge),
            ((0...WebSocket.maximumFrames).flatMap { _ in [0x89, 0] as [UInt8] }, .flooding),
        ] as [([UInt8], HomeAssistantError)])
    mutating func frames(bytes: [UInt8], error: HomeAssistantError) throws {
        var socket = socket
        _ = try socket.take(Array(Self.accepted.utf8))
        #expect(throws: error) { try socket.take(bytes) }
    }

    @Test("what the client sends is masked, whatever its length", arguments: [0, 5, 125, 126, 65_535, 65_536])
    func masked(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let frame = WebSocket.Frame.encoded(.text, payload, mask: 0x01020304)
        let header = count <= 125 ? 2 : count <= 65_535 ? 4 : 10
        #expect(frame.count == header + 4 + count)
        #expect(frame[0] == 0x81 && frame[1] & 0x80 != 0)
        #expect(Array(frame[header..<header + 4]) == [1, 2, 3, 4])
        #expect(frame.dropFirst(header + 4).enumerated().allSatisfy { $1 ^ UInt8($0 & 3 + 1) == payload[$0] })
    }
}
