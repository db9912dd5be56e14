import HTTPClient
public import RegistryAPI

// Requests about an owner's account, tokens and recovery codes.
extension RegistryConnection {
    /// Creates an account; needs no token.
    public func createOwner(
        _ draft: OwnerDraft = OwnerDraft(), idempotencyKey: String = newIdempotencyKey
    ) async throws -> OwnerCreated {
        try await post("/v1/owners", draft, idempotencyKey: idempotencyKey)
    }

    /// Makes a code that lets somebody create an account; for operators.
    public func inviteOwner(idempotencyKey: String = newIdempotencyKey) async throws -> Invitation {
        try await post("/v1/owner-invitations", EmptyBody(), idempotencyKey: idempotencyKey)
    }

    public func owner() async throws -> Owner {
        try await get("/v1/owner")
    }

    /// Changes the account's settings. Retrying is safe.
    public func change(_ patch: OwnerPatch, recoveryCode: String? = nil) async throws -> Owner {
        try await changeSeen("/v1/owner", .patch, patch, recoveryCode: recoveryCode, isRepeatable: true)
    }

    /// Everything that the registry stores about the owner, in the bytes received.
    public func exportOwner() async throws -> [UInt8] {
        try await answer(to: request(.get, "/v1/owner/export")).body
    }

    /// Erases the account and all that belongs to it.
    public func eraseOwner(recoveryCode: String? = nil) async throws {
        try await removeSeen("/v1/owner", recoveryCode: recoveryCode)
    }

    public func tokens(after cursor: String? = nil) async throws -> Page<OwnerToken> {
        try await get("/v1/owner/tokens" + Self.query(cursor))
    }

    public func createToken(
        _ draft: TokenDraft, idempotencyKey: String = newIdempotencyKey
    ) async throws -> OwnerTokenCreated {
        try await post("/v1/owner/tokens", draft, idempotencyKey: idempotencyKey)
    }

    public func revokeToken(_ id: TokenID) async throws {
        try await delete("/v1/owner/tokens/\(id)")
    }

    /// Exchanges a recovery code for a new token. Never retried, because the code works only once.
    public func recover(_ request: RecoveryRequest) async throws -> OwnerTokenCreated {
        try await post("/v1/recovery", request)
    }

    /// Replaces all recovery codes. Never retried, because the code that confirms the request works only once.
    public func replaceRecoveryCodes(recoveryCode: String) async throws -> RecoveryCodes {
        try await post("/v1/owner/recovery-codes", EmptyBody(), recoveryCode: recoveryCode)
    }
}

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
