import HTTPClient
public import RegistryAPI

// Requests about the browsers in which an owner is signed in, and about passkeys.
extension RegistryConnection {
    public func sessions(after cursor: String? = nil) async throws -> Page<Session> {
        try await get("/v1/sessions" + Self.query(cursor))
    }

    public func revokeSession(_ id: TokenID) async throws {
        try await delete("/v1/sessions/\(id)")
    }

    public func passkeys() async throws -> Page<Passkey> {
        try await get("/v1/passkeys")
    }

    public func removePasskey(_ id: PasskeyID) async throws {
        try await delete("/v1/passkeys/\(id)")
    }
}
