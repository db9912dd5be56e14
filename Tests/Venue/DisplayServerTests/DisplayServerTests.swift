import Foundation
import HTTPClient
import OperatingSystem
import RegistryAPI
import StationStatus
import Testing

@testable import DisplayServer

@Suite("The server of displays", .timeLimit(.minutes(20)))
struct DisplayServerTests {
    private let venue: Venue

    init() throws { venue = try Venue() }

    /// Runs the server on a free port while the body runs.
    private func serving(_ body: (String, DisplayRegister) async throws -> Void) async throws {
        let (listening, listens) = AsyncStream.makeStream(of: UInt16.self)
        let register = venue.register()
        await register.update(Venue.terms)
        let server = DisplayServer(
            Endpoint(.loopback, port: 0), names: [], register: register, source: venue, logger: silent
        ) { listens.yield($0) }
        let task = Task { try await server.run() }
        var ports = listening.makeAsyncIterator()
        let port = try #require(await ports.next())
        try await body("http://127.0.0.1:\(port)", register)
        task.cancel()
        try await task.value
    }

    @Test("a screen is paired, shows a bike and answers over a connection")
    func wire() async throws {
        try await serving { url, register in
            let http = try HTTPConnection()
            #expect(try await http.send(HTTPRequest(.get, url: url + "/display")).status == 200)
            #expect(try await http.send(HTTPRequest(.get, url: url + "/v1/display")).status == 401)
            let own = [("Origin", url), ("Content-Type", "application/json")]
            let code = try await register.add(name: nil).code
            let paired = try await http.send(
                HTTPRequest(
                    .post, url: url + "/v1/display/pairing", headers: own, body: Array(#"{"code":"\#(code)"}"#.utf8)))
            #expect(paired.status == 201)
            let cookie = try #require(paired[header: "set-cookie"]?.split(separator: ";").first).description
            let shown = try await http.send(HTTPRequest(.get, url: url + "/v1/display", headers: [("Cookie", cookie)]))
            #expect(shown.status == 200 && String(decoding: shown.body, as: UTF8.self).contains("Brompton"))
            let answered = try await http.send(
                HTTPRequest(
                    .post, url: url + "/v1/display/visits/\(Venue.visit)/answer", headers: own + [("Cookie", cookie)],
                    body: Array(#"{"answer":"absent"}"#.utf8)))
            #expect(answered.status == 204 && venue.said == [.absent])
        }
    }
}
