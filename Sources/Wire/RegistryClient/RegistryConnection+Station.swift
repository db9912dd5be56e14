import HTTPClient
public import MissingList
public import RegistryAPI
import Syntax

// Stations' requests.
extension RegistryConnection {
    /// The response to a request for the missing list.
    public enum MissingListAnswer: Hashable, Sendable {
        /// The station's version is the current one.
        case unchanged
        /// Another version than the station's: the full list or a delta, for ``ListMessage/init(_:)``.
        case changed([UInt8])
    }

    /// Requests the missing list.
    ///
    /// - Parameters:
    ///   - version: the station's current version. The registry responds that it is up to date, or with the changes
    ///     since.
    ///   - wait: how long the registry may wait for a change of that version before it responds.
    ///   - path: the path of the list; a partner's has another one.
    public func missingList(
        after version: ListVersion? = nil, wait: Duration = .zero, path: String = "/v1/missing"
    ) async throws -> MissingListAnswer {
        var headers: [(name: String, value: String)] = []
        if let version { headers += [("If-None-Match", "\"\(version)\""), ("A-IM", "findmybike")] }
        if wait > .zero { headers.append(("Prefer", "wait=\(wait.components.seconds)")) }
        let request = request(
            .get, path, headers: headers, accept: MediaType.missingList,
            timeout: wait + Self.missingListTimeout
        )
        let response = try await exchange(request)
        if response.status == 304 { return .unchanged }
        let type = try Self.checked(response)[header: "content-type"]
        guard type == MediaType.missingList else {
            throw RegistryError.malformedAnswer(
                "the missing list has the media type \(type?.line(atMost: 100) ?? "none")")
        }
        return .changed(response.body)
    }

    /// Added to the wait: the time for a full list on a slow mobile connection.
    private static let missingListTimeout = Duration.seconds(120)

    /// Reports visits in one attempt, on an open connection if there is one. Reporting again is safe, because a visit is
    /// identified by its identifier.
    public func report(_ batch: VisitBatch) async throws -> VisitBatchResult {
        let request = request(.post, "/v1/sightings", body: try Self.encode(batch))
        let answer: VisitBatchResult = try Self.decode(Self.checked(await exchange(request)))
        return answer.bounded
    }

    /// Exchanges a one-time code for a station's token and its surveyed place. A retry with the same key returns the
    /// same station with a new token.
    public func enrol(code: String, idempotencyKey: String = newIdempotencyKey) async throws -> StationEnrolled {
        var enrolled: StationEnrolled = try await post(
            "/v1/station/enrolment", EnrolmentRequest(code: code), idempotencyKey: idempotencyKey)
        enrolled.station.name = enrolled.station.name.line(atMost: 64)
        enrolled.station.venue = enrolled.station.venue.line(atMost: 64)
        return enrolled
    }

    /// Sends a heartbeat with the station's state in one attempt, on an open connection if there is one.
    ///
    /// - Parameter timeout: the time for the whole request; nil for that of the connection.
    /// - Returns: which coverage was stored, whether the station may serve displays, and for whom it listens. Nil if
    ///   there is nothing to say about any of these, or if the registry is too old.
    @discardableResult
    public func beat(_ heartbeat: StationHeartbeat, timeout: Duration? = nil) async throws -> CoverageReceipt? {
        let request = request(
            .put, "/v1/station/heartbeat", body: try Self.encode(heartbeat), timeout: timeout)
        let response = try Self.checked(await exchange(request))
        guard response.status != 204 else { return nil }
        var receipt: CoverageReceipt = try Self.decode(response)
        receipt.displays = receipt.displays?.bounded
        // Names of partners have at most 32 characters.
        receipt.partners = receipt.partners?.prefix(100).map { $0.line(atMost: 32) }
        return receipt
    }
}
