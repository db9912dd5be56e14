import Testing

@testable import VenueHTTP

/// Everybody in a café's network can send these bytes.
@Suite("Requests in a venue")
struct RequestReaderTests {
    private static let post =
        "POST /v1/display/pairing?x=1 HTTP/1.1\r\nHost: 192.168.1.20:8090\r\nContent-Length: 4\r\n\r\nabcd"

    @Test("a request is read the same, however its bytes arrive", arguments: [1, 3, 4096])
    func pieces(size: Int) throws {
        var reader = RequestReader()
        let bytes = Array(Self.post.utf8)
        var found: ServerRequest?
        for start in stride(from: 0, to: bytes.count, by: size) {
            #expect(found == nil)
            found = try reader.read(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        let request = try #require(found)
        #expect(request.method == "POST" && request.path == "/v1/display/pairing")
        #expect(request.headers == ["host": "192.168.1.20:8090", "content-length": "4"])
        #expect(request.body == Array("abcd".utf8))
    }

    @Test(
        "what has two readings or no bound is refused",
        arguments: [
            ("GET /display HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 1025\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
            ("GET /display\r\n\r\n", 400), ("GET http://a/ HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/2.0\r\n\r\n", 400), ("GET / HTTP/1.1\r\n folded: 1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400), ("GET /\u{0} HTTP/1.1\r\n\r\n", 400),
            ("GET /\u{316}\u{301} HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\u{316}\u{301}: a\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nA: é\r\n\r\n", 400), ("\r\n\r\n", 400), ("\r\n\r\n\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nA: " + String(repeating: "x", count: 8200), 431),
            ("GET /" + String(repeating: "x", count: 8200) + " HTTP/1.1\r\n\r\n", 431),
        ])
    func refusals(text: String, status: Int) {
        let refusal = #expect(throws: RequestReader.Refusal.self) {
            var reader = RequestReader()
            _ = try reader.read(Array(text.utf8))
        }
        #expect(refusal?.status == status)
    }

    @Test("no bytes make the reader fail in another way")
    func anyBytes() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var bytes = Array(Self.post.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    [0x0A, 0x0D, 0x3A, 0x20, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(
                        using: &random) ?? 0
            }
            var reader = RequestReader()
            for byte in bytes { _ = try? reader.read(Bool.random(using: &random) ? [byte] : []) }
        }
    }
}
