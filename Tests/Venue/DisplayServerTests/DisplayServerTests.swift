import Foundation
import Glibc
import HTTPClient
import OperatingSystem
import RegistryAPI
import TestSupport
import Testing
import VenueStatus

@testable import DisplayServer

@Suite("The server of displays", .timeLimit(.minutes(20)))
struct DisplayServerTests {
    private let venue: Venue

    init() throws { venue = try Venue() }

    /// Runs the server on a free port while the body runs.
    private func serving(
        clock: any Clock<Duration> = ContinuousClock(), _ body: (String, DisplayRegister) async throws -> Void
    ) async throws {
        let (listening, listens) = AsyncStream.makeStream(of: UInt16.self)
        let register = venue.register()
        await register.update(Venue.terms)
        let server = DisplayServer(
            Endpoint(NetworkAddress(v4: 0x7F00_0001), port: 0), names: [], register: register, source: venue,
            clock: clock, logger: silent
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

    @Test("a connection that sends no request is closed after some seconds, and the next one is served")
    func slow() async throws {
        // Each sleep of this clock ends at once: those seconds are over before a request can come.
        try await serving(clock: ImpatientClock()) { url, _ in
            let connection = try Connection(to: try #require(UInt16(url.split(separator: ":").last ?? "")))
            #expect(connection.rest.isEmpty)
        }
    }
}

/// A connection that only listens.
private final class Connection {
    struct Failure: Error {}

    private let file: Int32

    init(to port: UInt16) throws {
        file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure() }
    }

    deinit { close(file) }

    /// What the server sends until it closes the connection.
    var rest: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}
