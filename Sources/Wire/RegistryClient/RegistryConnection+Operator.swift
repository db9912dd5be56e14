import HTTPClient
public import RegistryAPI

// Operators' requests about stations.
extension RegistryConnection {
    public func invite(_ draft: InvitationDraft, idempotencyKey: String = newIdempotencyKey) async throws -> Invitation
    {
        try await post("/v1/invitations", draft, idempotencyKey: idempotencyKey)
    }

    /// The invitations that have not been accepted yet.
    public func pendingInvitations(after cursor: String? = nil) async throws -> Page<PendingInvitation> {
        try await get("/v1/invitations" + Self.query(cursor))
    }

    /// Cancels an invitation that has not been accepted yet.
    public func cancelInvitation(_ id: InvitationID) async throws {
        try await delete("/v1/invitations/\(id)")
    }

    public func stations(after cursor: String? = nil) async throws -> Page<Station> {
        try await get("/v1/stations" + Self.query(cursor))
    }

    /// A station and its entity tag, which is needed to change it.
    public func station(_ id: StationID) async throws -> (station: Station, entityTag: String) {
        let response = try await answer(to: request(.get, "/v1/stations/\(id)"))
        return (try Self.decode(response), response[header: "etag"] ?? "")
    }

    /// What a station heard on a day in UTC.
    ///
    /// - Parameter station: nil for the station that asks.
    public func coverage(of station: StationID?, on day: CalendarDate) async throws -> StationCoverage {
        try await get("/v1/\(station.map { "stations/\($0)" } ?? "station")/coverage?day=\(day)")
    }

    /// Changes a station if it still has this entity tag.
    public func changeStation(_ id: StationID, _ patch: StationPatch, ifMatch tag: String) async throws -> Station {
        let request = request(
            .patch, "/v1/stations/\(id)", headers: [(name: "If-Match", value: tag)], body: try Self.encode(patch)
        )
        return try Self.decode(await answer(to: request))
    }

    /// Revokes a station's token, and quarantines its reports since a time. Retrying is safe.
    public func revokeStation(_ id: StationID, quarantineSince: Timestamp?) async throws -> Station {
        let query = quarantineSince.map { "?quarantineSince=\($0)" } ?? ""
        return try Self.decode(await answer(to: request(.delete, "/v1/stations/\(id)" + query), isRepeatable: true))
    }
}
