import Foundation
import RegistryAPI
import StationStatus
import Synchronization
import Syntax
import VenueHTTP

/// The routes of the status server.
struct StatusRoutes: Sendable {
    /// The maximum number of simultaneous readers of events.
    static let maximumReaders = 8

    /// The number of readers of events, which the copies of this value share.
    private final class Readers: Sendable {
        let count = Mutex(0)
    }

    private let source: any StatusSource
    /// Whether answers to visits are accepted.
    private let takesAnswers: Bool
    /// The displays that the monitor serves; nil if it serves none.
    private let displays: (any DisplayDesk)?
    private let readers = Readers()
    private static let unknown = ServerResponse.text(404, "Use /status, /metrics, /events or /pending.")

    init(_ source: any StatusSource, displays: (any DisplayDesk)?, takesAnswers: Bool) {
        self.source = source
        self.displays = displays
        self.takesAnswers = takesAnswers
    }

    /// The response to a request.
    func respond(to request: ServerRequest) async -> ServerResponse {
        // A web page in a browser on this machine must not read the status under its own host name (DNS rebinding).
        guard isLocal(request.headers["host"]) else { return .text(403, "Use the host name localhost.") }
        do {
            let path = request.path.split(at: "/").map { String($0) }
            if path.first == "displays" { return try await manageDisplays(request, path.dropFirst().first) }
            switch request.method {
            case "GET": return try await read(request.path)
            case "POST": return try await answer(path)
            default: return Self.unknown
            }
        } catch {
            return .text(500, "\(error)")
        }
    }

    private func read(_ path: String) async throws -> ServerResponse {
        switch path {
        case "/status": return try .json(try await source.report())
        case "/metrics":
            let text = StatusMetrics(try await source.report()).text
            return ServerResponse(
                status: 200, headers: [("Content-Type", PrometheusText.mediaType), ("Cache-Control", "no-store")],
                body: Array(text.utf8))
        case "/events": return events()
        case "/pending": return try .json(try await source.pending())
        default: return Self.unknown
        }
    }

    /// `/pending/ID/confirm` and `/dismiss`, `/alarms/ID/seen` and `/absent`.
    private func answer(_ path: [String]) async throws -> ServerResponse {
        let isTaken: Bool
        switch path.count == 3 ? (path[0], path[2]) : ("", "") {
        case ("pending", "confirm"), ("pending", "dismiss"), ("alarms", "seen"), ("alarms", "absent"):
            guard takesAnswers else { return .text(403, "Answers are accepted only on the Unix socket.") }
            if path[0] == "pending" {
                isTaken = try await source.answer(path[1], isAgreed: path[2] == "confirm")
            } else {
                isTaken = try await source.answer(path[1], isSeen: path[2] == "seen")
            }
        default:
            return .text(404, "Post to /pending/ID/confirm or /dismiss, or to /alarms/ID/seen or /absent.")
        }
        guard isTaken else {
            let wanted = path[0] == "pending" ? "No visit \(path[1]) waits for an answer." : "No alarm for \(path[1])."
            return .text(404, wanted)
        }
        return ServerResponse(status: 204)
    }

    /// Only on the Unix socket: the names and times of displays are the venue's.
    private func manageDisplays(_ request: ServerRequest, _ id: String?) async throws -> ServerResponse {
        guard takesAnswers else { return .text(403, "Displays are managed only on the Unix socket.") }
        guard let displays else {
            return .text(404, "This monitor serves no displays: set display.listen and restart it.")
        }
        switch request.method {
        case "GET": return try .json(await displays.displays())
        case "POST":
            let draft = try? JSONDecoder().decode(DisplayDraft.self, from: Data(request.body))
            let code: DisplayCode
            do throws(DisplayRefusal) {
                code = try await displays.add(name: draft?.name)
            } catch {
                return .text(403, error.description)
            }
            return try .json(code)
        case "DELETE":
            do throws(DisplayRefusal) {
                guard let id = id.flatMap({ DisplayID($0) }), try await displays.revoke(id) else {
                    return .text(404, "There is no such display.")
                }
            } catch {
                return .text(500, error.description)
            }
            return ServerResponse(status: 204)
        default: return .text(404, "Use GET, POST or DELETE.")
        }
    }

    /// A stream of events, unless there are too many readers.
    private func events() -> ServerResponse {
        let isWelcome = readers.count.withLock { count in
            guard count < Self.maximumReaders else { return false }
            count += 1
            return true
        }
        guard isWelcome else { return .text(503, "Too many event streams are open: close one.") }
        let feed = EventFeed.bytes(of: source.events()) { [readers] in readers.count.withLock { $0 -= 1 } }
        return ServerResponse(
            headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")], stream: feed)
    }

    /// Whether a request was made under a name of this machine.
    private func isLocal(_ host: String?) -> Bool {
        guard let host else { return false }
        return ["localhost", "127.0.0.1", "[::1]"].contains { name in
            host.dropping(prefix: name).map { $0.isEmpty || $0.begins(with: ":") } ?? false
        }
    }
}
