import FlyingFox
import Foundation
import RegistryAPI
import Synchronization
import Syntax
import VenueStatus

/// The routes of the status server.
struct StatusRoutes: HTTPHandler {
    /// The maximum number of simultaneous readers of events.
    static let maximumReaders = 8
    /// The longest body of a request in bytes.
    private static let maximumBody = 4096

    private final class Readers: Sendable {
        let count = Mutex(0)
    }

    private let source: any StatusSource
    /// Whether answers to visits are accepted.
    private let takesAnswers: Bool
    /// The displays that the monitor serves; nil if it serves none.
    private let displays: (any DisplayDesk)?
    private let readers = Readers()

    init(_ source: any StatusSource, displays: (any DisplayDesk)?, takesAnswers: Bool) {
        self.source = source
        self.displays = displays
        self.takesAnswers = takesAnswers
    }

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        // A web page in a browser on this machine must not read the status under its own host name (DNS rebinding).
        guard isLocal(request.headers[.host]) else {
            return Self.failure(.forbidden, "Use the host name localhost.")
        }
        do {
            return try await respond(to: request)
        } catch {
            return Self.failure(.internalServerError, "\(error)")
        }
    }

    private func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        switch (request.method, request.path) {
        case (.GET, "/status"): return try Self.json(try await source.report())
        case (.GET, "/metrics"):
            let text = StatusMetrics(try await source.report()).text
            return Self.response(.ok, PrometheusText.mediaType, Data(text.utf8))
        case (.GET, "/events"): return events()
        case (_, "/displays"): return try await manageDisplays(request)
        case (.GET, "/pending"): return try Self.json(try await source.pending())
        case (.POST, let path): return try await answer(path.split(at: "/").map(String.init))
        default: return Self.failure(.notFound, "Use /status, /metrics, /events or /pending.")
        }
    }

    /// `/pending/ID/confirm` and `/dismiss`, `/alarms/ID/seen` and `/absent`.
    private func answer(_ path: [String]) async throws -> HTTPResponse {
        let isTaken: Bool
        switch path.count == 3 ? (path[0], path[2]) : ("", "") {
        case ("pending", "confirm"), ("pending", "dismiss"), ("alarms", "seen"), ("alarms", "absent"):
            guard takesAnswers else {
                return Self.failure(.forbidden, "Answers are accepted only on the Unix socket.")
            }
            isTaken =
                path[0] == "pending"
                ? try await source.answer(path[1], isAgreed: path[2] == "confirm")
                : try await source.answer(path[1], isSeen: path[2] == "seen")
        default:
            return Self.failure(
                .notFound, "Post to /pending/ID/confirm or /dismiss, or to /alarms/ID/seen or /absent.")
        }
        guard isTaken else {
            let wanted = path[0] == "pending" ? "No visit \(path[1]) waits for an answer." : "No alarm for \(path[1])."
            return Self.failure(.notFound, wanted)
        }
        return HTTPResponse(statusCode: .noContent)
    }

    /// Only on the Unix socket: the names and times of displays are the venue's.
    private func manageDisplays(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard takesAnswers else { return Self.failure(.forbidden, "Displays are managed only on the Unix socket.") }
        guard let displays else {
            return Self.failure(.notFound, "This monitor serves no displays: set display.listen and restart it.")
        }
        switch request.method {
        case .GET: return try Self.json(await displays.displays())
        case .POST:
            guard let body = try await Self.body(of: request) else {
                return Self.failure(.payloadTooLarge, "A display's name is at most 64 characters long.")
            }
            let draft = try? JSONDecoder().decode(DisplayDraft.self, from: body)
            let code: DisplayCode
            do throws(DisplayRefusal) {
                code = try await displays.add(name: draft?.name)
            } catch {
                return Self.failure(.forbidden, error.description)
            }
            return try Self.json(code)
        case .DELETE:
            let text = request.query.first { $0.name == "id" }?.value
            do throws(DisplayRefusal) {
                guard let id = text.flatMap(DisplayID.init), try await displays.revoke(id) else {
                    return Self.failure(.notFound, "There is no such display.")
                }
            } catch {
                return Self.failure(.internalServerError, error.description)
            }
            return HTTPResponse(statusCode: .noContent)
        default: return Self.failure(.notFound, "Use GET, POST or DELETE.")
        }
    }

    private func events() -> HTTPResponse {
        let isWelcome = readers.count.withLock { count in
            guard count < Self.maximumReaders else { return false }
            count += 1
            return true
        }
        guard isWelcome else { return Self.failure(.serviceUnavailable, "Too many event streams are open: close one.") }
        let feed = EventFeed(source.events()) { [readers] in readers.count.withLock { $0 -= 1 } }
        return HTTPResponse(
            statusCode: .ok, headers: [.contentType: "text/event-stream", HTTPHeader("Cache-Control"): "no-store"],
            body: HTTPBodySequence(from: feed))
    }

    private func isLocal(_ host: String?) -> Bool {
        guard let host else { return false }
        return ["localhost", "127.0.0.1", "[::1]"].contains { name in
            host.dropping(prefix: name).map { $0.isEmpty || $0.begins(with: ":") } ?? false
        }
    }

    private static func json(_ value: some Encodable) throws -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return response(.ok, "application/json", try encoder.encode(value))
    }

    /// A request's body; nil if it is longer than any valid one. FlyingFox would collect a body of any length.
    private static func body(of request: HTTPRequest) async throws -> Data? {
        var body = Data()
        for try await part in request.bodySequence {
            guard body.count + part.count <= maximumBody else { return nil }
            body += part
        }
        return body
    }

    private static func failure(_ status: HTTPStatusCode, _ text: String) -> HTTPResponse {
        response(status, "text/plain; charset=utf-8", Data("\(text)\n".utf8))
    }

    private static func response(_ status: HTTPStatusCode, _ type: String, _ body: Data) -> HTTPResponse {
        HTTPResponse(
            statusCode: status, headers: [.contentType: type, HTTPHeader("Cache-Control"): "no-store"], body: body)
    }
}
