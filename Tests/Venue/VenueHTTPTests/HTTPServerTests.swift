import HTTPClient
import OperatingSystem
import TestSupport
import Testing

@testable import VenueHTTP

@Suite("The server in a venue", .timeLimit(.minutes(20)))
struct HTTPServerTests {
    private static let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Runs a server on a free port while the body runs. Unless a test says otherwise, its clock stands still, so that no
    /// client is too slow.
    private func serving(
        _ response: ServerResponse = .text(200, "heard"), clock: any Clock<Duration> = SteppedClock(),
        _ body: (UInt16) async throws -> Void
    ) async throws {
        let listener = try ServerSocket(at: Endpoint(.loopback, port: 0))
        let server = HTTPServer(connections: ConnectionLimits(), clock: clock, respond: { _, _ in response })
        let task = Task { try await server.run(on: listener) }
        try await body(try #require(listener.port))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// What the server sends to a connection until it closes it.
    private func exchange(_ request: String, at port: UInt16) async throws -> String {
        let connection = try await StreamConnection.open("http://127.0.0.1:\(port)")
        try await connection.send(Array(request.utf8))
        var received: [UInt8] = []
        while let piece = try await connection.receive() { received += piece }
        await connection.close()
        return String(decoding: received, as: UTF8.self)
    }

    @Test("a request is answered, and the connection is closed")
    func answered() async throws {
        try await serving { port in
            let text = try await exchange(Self.request, at: port)
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.hasSuffix("\r\nContent-Length: 6\r\nConnection: close\r\n\r\nheard\n"))
        }
    }

    @Test("a connection that sends no request is closed after some seconds, and the next one is served")
    func slow() async throws {
        // Each sleep of this clock ends at once: those seconds are over before a request can come.
        try await serving(clock: ImpatientClock()) { port in
            for _ in 0..<2 {
                let received = try await exchange("", at: port)
                #expect(received.isEmpty)
            }
        }
    }

    @Test("a request that is too long is answered, although most of it is not wanted")
    func long() async throws {
        try await serving { port in
            let body = [UInt8](repeating: 0x78, count: 500_000)
            let request = HTTPRequest(.post, url: "http://127.0.0.1:\(port)/", body: body)
            let response = try await HTTPConnection().send(request)
            #expect(response.status == 413)
        }
    }

    @Test("a response longer than the system's buffers arrives whole")
    func large() async throws {
        let body = [UInt8](repeating: 0x78, count: 20_000_000)
        try await serving(ServerResponse(status: 200, body: body)) { port in
            let request = HTTPRequest(.get, url: "http://127.0.0.1:\(port)/")
            let connection = try HTTPConnection(HTTPConfiguration(responseLimit: 32 << 20))
            #expect(try await connection.send(request).body.count == body.count)
        }
    }

    @Test("a response without an end has what is sent until then")
    func endless() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        for text in ["one", "two"] { continuation.yield(Array(text.utf8)) }
        continuation.finish()
        try await serving(ServerResponse(headers: [], stream: stream)) { port in
            let text = try await exchange(Self.request, at: port)
            #expect(text.hasSuffix("\r\nConnection: close\r\n\r\nonetwo") && !text.contains("Content-Length"))
        }
    }

    @Test("an address that is in use, or too long, is an error that says so")
    func unusable() throws {
        let first = try ServerSocket(at: Endpoint(.loopback, port: 0))
        let port = try #require(first.port)
        let used = #expect(throws: ServerSocket.Failure.self) { try ServerSocket(at: Endpoint(.loopback, port: port)) }
        #expect(used?.description == "Address already in use")
        let long = #expect(throws: ServerSocket.Failure.self) {
            try ServerSocket(path: "/tmp/" + String(repeating: "x", count: 103), mode: 0o600)
        }
        #expect(long?.description == "File name too long")
    }
}
