import HTTPClient
public import RegistryAPI

// Requests about the whole registry, and about operators' browsers.
extension RegistryConnection {
    /// The state of the registry.
    public func overview() async throws -> Overview {
        try await get("/v1/overview")
    }

    /// The outcomes of searches.
    public func closedSearches() async throws -> ClosedSearches {
        try await get("/v1/closed-searches")
    }

    /// Open reports with an unconfirmed police reference.
    public func searchesToCheck(after cursor: String? = nil) async throws -> Page<SearchToCheck> {
        try await get("/v1/searches-to-check" + Self.query(cursor))
    }

    public func references(after cursor: String? = nil) async throws -> Page<ReferenceReview> {
        try await get("/v1/references" + Self.query(cursor))
    }

    public func deskSessions() async throws -> Page<DeskSession> {
        try await get("/v1/desk/sessions")
    }

    public func endDeskSession(_ id: DeskSessionID) async throws {
        try await delete("/v1/desk/sessions/\(id)")
    }

    public func deskPasskeys() async throws -> Page<Passkey> {
        try await get("/v1/desk/passkeys")
    }

    public func removeDeskPasskey(_ id: PasskeyID) async throws {
        try await delete("/v1/desk/passkeys/\(id)")
    }
}
