import Foundation
import HTTPClient
import TestSupport
import Testing

@Suite("HTTP connection")
struct HTTPConnectionTests {
    private let server: TestServer

    init() throws { server = try TestServer() }

    @Test("method, header fields and body arrive as sent")
    func echo() async throws {
        let connection = try HTTPConnection()
        let request = HTTPRequest(
            .post, url: server.url("/echo"), headers: [("X-Test", "ä b"), ("X-Empty", "")], body: [UInt8]("{}".utf8)
        )
        let response = try await connection.send(request)
        let seen = try JSONDecoder().decode(TestServer.Seen.self, from: Data(response.body))
        #expect(response.status == 200)
        #expect(response[header: "content-type"] == "application/json")
        #expect(seen.method == "POST")
        #expect(seen.body == "{}")
        #expect(seen.headers["x-empty"] == "")
        #expect(seen.headers["expect"] == nil)
    }

    @Test("an option of one request does not leak into the next")
    func reuse() async throws {
        let connection = try HTTPConnection()
        _ = try await connection.send(
            HTTPRequest(.post, url: server.url("/echo"), headers: [("X-Once", "1")], body: [1]))
        let second = try await connection.send(HTTPRequest(.get, url: server.url("/echo")))
        let seen = try JSONDecoder().decode(TestServer.Seen.self, from: Data(second.body))
        #expect(seen.method == "GET")
        #expect(seen.body.isEmpty)
        #expect(seen.headers["x-once"] == nil)
    }

    @Test(
        "a request that is sent once reaches a server once that hangs up on a reused connection",
        arguments: [true, false])
    func sentOnce(isSentOnce: Bool) async throws {
        let connection = try HTTPConnection()
        let count = HTTPRequest(.get, url: server.url("/hung-up"))
        _ = try await connection.send(count)
        var request = HTTPRequest(.post, url: server.url("/hang-up"), body: [1])
        request.isSentOnce = isSentOnce
        let error = await #expect(throws: HTTPError.self) { try await connection.send(request) }
        #expect(error?.isUnanswered == true)
        #expect(try await connection.send(count).body == Array((isSentOnce ? "1" : "2").utf8))
    }

    @Test("a POST without a body says that its length is zero")
    func emptyBody() async throws {
        let response = try await HTTPConnection().send(HTTPRequest(.post, url: server.url("/echo")))
        let seen = try JSONDecoder().decode(TestServer.Seen.self, from: Data(response.body))
        #expect(seen.headers["content-length"] == "0")
    }

    @Test("a body over the limit aborts the transfer", arguments: ["/large", "/endless", "/bomb"])
    func limit(path: String) async throws {
        let connection = try HTTPConnection(HTTPConfiguration(responseLimit: 10_000))
        await #expect(throws: HTTPError.responseTooLarge(limit: 10_000)) {
            try await connection.send(HTTPRequest(.get, url: server.url(path)))
        }
    }

    @Test(
        "header fields without end abort the transfer, also after the body",
        arguments: ["/header", "/trailers", "/hints"])
    func endlessHeader(path: String) async throws {
        let connection = try HTTPConnection(HTTPConfiguration(timeout: .seconds(240)))
        let error = await #expect(throws: HTTPError.self) {
            try await connection.send(HTTPRequest(.get, url: server.url(path)))
        }
        #expect(error?.isTimeout == false)
    }

    @Test("a truncated body is an error, not a short response")
    func cut() async throws {
        let connection = try HTTPConnection()
        await #expect(throws: HTTPError.self) { try await connection.send(HTTPRequest(.get, url: server.url("/cut"))) }
    }

    @Test("a request to a port where nobody listens was not sent")
    func unsent() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPConnection().send(HTTPRequest(.post, url: "http://127.0.0.1:1/", body: [1]))
        }
        #expect(error?.isUnanswered == false)
    }

    @Test("a redirect is reported, never followed")
    func redirect() async throws {
        let response = try await HTTPConnection().send(HTTPRequest(.get, url: server.url("/redirect")))
        #expect(response.status == 302)
        #expect(response.redirect == server.url("/echo"))
    }

    @Test("Retry-After is reported")
    func retryAfter() async throws {
        let response = try await HTTPConnection().send(HTTPRequest(.get, url: server.url("/busy")))
        #expect(response.status == 503)
        #expect(response.retryAfter == .seconds(7))
    }

    @Test(
        "a Retry-After of any size is at most a day",
        arguments: ["86401", "20000000000", "9223372036854775807", "99999999999999999999999"])
    func endlessRetryAfter(text: String) async throws {
        let response = try await HTTPConnection().send(
            HTTPRequest(.get, url: server.url("/busy"), headers: [("X-Retry-After", text)]))
        #expect(response.retryAfter.map { $0 <= HTTPResponse.longestRetryAfter } ?? true)
        // What a retry computes with it.
        _ = ContinuousClock.now + (response.retryAfter ?? .zero)
    }

    @Test("a server that never answers costs no more than the time-out")
    func timeout() async throws {
        let connection = try HTTPConnection(HTTPConfiguration(timeout: .milliseconds(300)))
        await #expect(throws: HTTPError.self) { try await connection.send(HTTPRequest(.get, url: server.url("/slow"))) }
    }

    @Test("a cancelled task aborts its transfer")
    func cancellation() async throws {
        let connection = try HTTPConnection()
        let task = Task { [url = server.url("/slow")] in try await connection.send(HTTPRequest(.get, url: url)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(
        "a private address is refused before anything is sent, whatever its name",
        arguments: ["127.0.0.1", "localhost"])
    func privateAddress(host: String) async throws {
        let connection = try HTTPConnection(HTTPConfiguration(addresses: .publicOnly))
        let error = await #expect(throws: HTTPError.self) {
            try await connection.send(HTTPRequest(.get, url: "http://\(host):\(server.port)/echo"))
        }
        guard case .addressRefused = error else {
            Issue.record("expected a refused address, got \(String(describing: error))")
            return
        }
    }

    @Test(
        "other protocols are refused", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/"])
    func protocols(url: String) async throws {
        let connection = try HTTPConnection()
        await #expect(throws: HTTPError.self) { try await connection.send(HTTPRequest(.get, url: url)) }
    }

    @Test("a header field cannot inject a second one", arguments: [("X", "a\r\nY: b"), ("X\n", "a"), ("X:", "a")])
    func headerInjection(name: String, value: String) async throws {
        let connection = try HTTPConnection()
        await #expect(throws: HTTPError.invalidHeader(name)) {
            try await connection.send(HTTPRequest(.get, url: server.url("/echo"), headers: [(name, value)]))
        }
    }
}
