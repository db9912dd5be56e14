import HTTPClient
public import RegistryAPI

// Operators' requests about stations.
extension RegistryConnection {
    /// Makes the one-time code for a station’s enrolment.
    public func invite(
        _ draft: InvitationDraft, idempotencyKey: String = newIdempotencyKey
    ) async throws -> Invitation {
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

    /// The stations, including revoked ones.
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
        let path = station.map { "/v1/stations/\($0)" } ?? "/v1/station"
        let coverage: StationCoverage = try await get("\(path)/coverage?day=\(day)")
        return coverage.bounded
    }

    /// Changes a station if it still has this entity tag (``station(_:)``).
    public func changeStation(_ id: StationID, _ patch: StationPatch, ifMatch tag: String) async throws -> Station {
        let request = request(
            .patch, "/v1/stations/\(id)", headers: [(name: "If-Match", value: tag)], body: try Self.encode(patch)
        )
        return try Self.decode(await answer(to: request))
    }

    /// Revokes a station's token, and quarantines its reports since a time. Retrying is safe.
    ///
    /// - Parameter quarantineSince: the time from which its sightings are disputed; nil to dispute none for this.
    public func revokeStation(_ id: StationID, quarantineSince: Timestamp?) async throws -> Station {
        let path = "/v1/stations/\(id)" + Self.query(quarantineSince: quarantineSince)
        return try Self.decode(await answer(to: request(.delete, path), isRepeatable: true))
    }
}
