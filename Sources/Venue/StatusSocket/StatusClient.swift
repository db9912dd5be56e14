import Foundation
public import HTTPClient
public import RegistryAPI
public import StationStatus

/// A client of a monitor's Unix socket.
public struct StatusClient: Sendable {
    /// A request that the monitor refused, and the reason.
    public struct Refusal: Error, Hashable, CustomStringConvertible {
        public let status: Int
        public let description: String
    }

    private let http: HTTPConnection

    /// - Parameter socket: the path of the socket.
    public init(socket: String) throws(HTTPError) {
        http = try HTTPConnection(HTTPConfiguration(timeout: .seconds(10), unixSocket: socket))
    }

    /// The monitor's status.
    public func report() async throws -> StatusReport {
        try JSONDecoder().decode(StatusReport.self, from: try await send(.get, "/status"))
    }

    /// The visits that wait for the venue's consent, oldest first.
    public func pending() async throws -> [PendingVisit] {
        try JSONDecoder().decode([PendingVisit].self, from: try await send(.get, "/pending"))
    }

    /// Answers whether a visit may be reported.
    ///
    /// - Throws: ``Refusal`` with status 404 if no visit with this identifier waits for an answer.
    public func answer(_ visit: String, isAgreed: Bool) async throws {
        _ = try await send(.post, "/pending/\(visit)/\(isAgreed ? "confirm" : "dismiss")")
    }

    /// Answers an alarm: whether somebody sees the bike.
    ///
    /// - Throws: ``Refusal`` with status 404 if there is no alarm for a visit with this identifier.
    public func answer(_ visit: String, isSeen: Bool) async throws {
        _ = try await send(.post, "/alarms/\(visit)/\(isSeen ? "seen" : "absent")")
    }

    /// The displays that the monitor serves itself.
    public func displays() async throws -> [VenueDisplay] {
        try JSONDecoder().decode([VenueDisplay].self, from: try await send(.get, "/displays"))
    }

    /// Makes a code for one screen.
    ///
    /// - Throws: ``Refusal`` if the monitor serves no displays, or may not add one.
    public func addDisplay(_ draft: DisplayDraft) async throws -> DisplayCode {
        let body = Array(try JSONEncoder().encode(draft))
        return try JSONDecoder().decode(DisplayCode.self, from: try await send(.post, "/displays", body))
    }

    /// Ends a display.
    ///
    /// - Throws: ``Refusal`` with status 404 if there is no such display.
    public func revokeDisplay(_ id: DisplayID) async throws {
        _ = try await send(.delete, "/displays/\(id)")
    }

    /// Makes a request; returns the body of the response.
    private func send(_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]? = nil) async throws -> Data {
        let response = try await http.send(HTTPRequest(method, url: "http://localhost\(path)", body: body))
        guard (200..<300).contains(response.status) else {
            let reason = String(decoding: response.body.prefix(500), as: UTF8.self)
            throw Refusal(
                status: response.status, description: reason.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return Data(response.body)
    }
}
