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

    /// Open searches with signs of misuse.
    public func searchesToCheck(after cursor: String? = nil) async throws -> Page<SearchToCheck> {
        try await get("/v1/searches-to-check" + Self.query(cursor))
    }

    /// Open reports whose police reference waits for confirmation.
    public func references(after cursor: String? = nil) async throws -> Page<ReferenceReview> {
        try await get("/v1/references" + Self.query(cursor))
    }

    /// The browsers in which the operator is signed in.
    public func deskSessions() async throws -> Page<DeskSession> {
        try await get("/v1/desk/sessions")
    }

    public func endDeskSession(_ id: DeskSessionID) async throws {
        try await delete("/v1/desk/sessions/\(id)")
    }

    /// The passkeys of the operator.
    public func deskPasskeys() async throws -> Page<Passkey> {
        try await get("/v1/desk/passkeys")
    }

    public func removeDeskPasskey(_ id: PasskeyID) async throws {
        try await delete("/v1/desk/passkeys/\(id)")
    }
}
