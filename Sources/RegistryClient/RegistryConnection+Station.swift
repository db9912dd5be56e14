import HTTPClient
public import RegistryAPI

// A station's calls.
extension RegistryConnection {
    /// What asking for the missing list brings.
    public enum MissingListAnswer: Sendable {
        case unchanged
        case changed(MissingListDocument, entityTag: String?)
    }

    /// Asks for the missing list, unless it is still the one with the given entity tag.
    public func missingList(unless entityTag: String? = nil) async throws -> MissingListAnswer {
        let headers = entityTag.map { [(name: "If-None-Match", value: $0)] } ?? []
        let response = try await exchange(request(.get, "/v1/missing", headers: headers))
        if response.status == 304 { return .unchanged }
        let document: MissingListDocument = try Self.decode(Self.checked(response))
        return .changed(document, entityTag: response[header: "etag"])
    }

    /// Reports visits. Repeating it is safe: a visit is known by its identifier.
    public func report(_ visits: [Visit]) async throws -> VisitBatchResult {
        try await post("/v1/sightings", VisitBatch(visits: visits))
    }

    /// Trades a one-time code for a station's token and its surveyed place. Repeated with its key, it brings the same
    /// station with a new token.
    public func enrol(code: String, idempotencyKey: String) async throws -> StationEnrolled {
        try await post("/v1/station/enrolment", EnrolmentRequest(code: code), idempotencyKey: idempotencyKey)
    }

    /// Tells how the station fares.
    public func beat(_ heartbeat: StationHeartbeat) async throws {
        let body = try Self.encode(heartbeat)
        _ = try Self.checked(await exchange(request(.put, "/v1/station/heartbeat", body: body)))
    }
}
