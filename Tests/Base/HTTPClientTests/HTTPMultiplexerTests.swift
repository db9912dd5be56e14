import Foundation
import HTTPClient
import TestSupport
import Testing

@Suite("HTTP multiplexer")
struct HTTPMultiplexerTests {
    private let server: TestServer

    init() throws { server = try TestServer() }

    @Test("each of many overlapping requests gets its own response")
    func overlapping() async throws {
        let transport = try HTTPMultiplexer(concurrency: 10)
        let bodies = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<200 {
                group.addTask {
                    let request = HTTPRequest(.post, url: server.url("/echo"), body: Array("\(number)".utf8))
                    let response = try await transport.send(request)
                    return (number, try JSONDecoder().decode(TestServer.Seen.self, from: Data(response.body)).body)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies.count == 200 && bodies.allSatisfy { "\($0.0)" == $0.1 })
    }

    @Test("a cancelled request ends at once; the others continue")
    func cancellation() async throws {
        let transport = try HTTPMultiplexer(HTTPConfiguration(timeout: .seconds(600)))
        let endless = Task { try await transport.send(HTTPRequest(.get, url: server.url("/slow"))) }
        #expect(try await transport.send(HTTPRequest(.get, url: server.url("/echo"))).status == 200)
        endless.cancel()
        await #expect(throws: CancellationError.self) { try await endless.value }
        #expect(try await transport.send(HTTPRequest(.get, url: server.url("/echo"))).status == 200)
    }

    @Test("a request that waits for its turn can be cancelled")
    func cancelledTurn() async throws {
        let transport = try HTTPMultiplexer(HTTPConfiguration(timeout: .seconds(600)), concurrency: 1)
        let first = Task { try await transport.send(HTTPRequest(.get, url: server.url("/slow"))) }
        let second = Task { try await transport.send(HTTPRequest(.get, url: server.url("/echo"))) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    @Test("limits, redirects, addresses and failures are handled as for a single request")
    func rules() async throws {
        let transport = try HTTPMultiplexer(HTTPConfiguration(responseLimit: 10_000))
        await #expect(throws: HTTPError.responseTooLarge(limit: 10_000)) {
            try await transport.send(HTTPRequest(.get, url: server.url("/bomb")))
        }
        await #expect(throws: HTTPError.responseTooLarge(limit: 99_999)) {
            var request = HTTPRequest(.get, url: server.url("/large"))
            request.responseLimit = 99_999
            return try await transport.send(request)
        }
        let guarded = try HTTPMultiplexer(HTTPConfiguration(addresses: .publicOnly))
        await #expect(throws: HTTPError.addressRefused("127.0.0.1")) {
            try await guarded.send(HTTPRequest(.get, url: server.url("/echo")))
        }
        await #expect(throws: HTTPError.invalidHeader("X")) {
            try await transport.send(HTTPRequest(.get, url: server.url("/echo"), headers: [("X", "a\r\nY: b")]))
        }
        await #expect(throws: HTTPError.self) { try await transport.send(HTTPRequest(.get, url: "file:///etc/passwd")) }
        await #expect(throws: HTTPError.self) {
            try await transport.send(HTTPRequest(.get, url: "http://127.0.0.1:1/"))
        }
    }

    @Test("its end aborts the transfers in progress")
    func end() async throws {
        var transport: HTTPMultiplexer? = try HTTPMultiplexer()
        let request = HTTPRequest(.get, url: server.url("/echo"))
        #expect(try await transport?.send(request).status == 200)
        transport = nil
    }
}
