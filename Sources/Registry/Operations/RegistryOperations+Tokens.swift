import Concurrency
public import RegistryAPI

extension RegistryOperations {
    public func createToken(
        _ draft: TokenDraft, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> OwnerTokenCreated {
        let (token, secret) = newToken(name: draft.name, scope: draft.scope)
        let details = try await store.addToken(token, by: act, once: once)
        alertSignal.wake()
        return OwnerTokenCreated(details: details, token: secret)
    }

    public func revokeToken(_ id: TokenID, by act: OwnerAct) async throws {
        try await store.revokeToken(id, by: act)
        alertSignal.wake()
    }

    /// Exchanges a recovery code for a token with the widest scope. Every invalid code takes the same path: it is
    /// hashed and looked up, whatever is wrong with it.
    public func recover(_ request: RecoveryRequest) async throws -> OwnerTokenCreated {
        let (token, secret) = newToken(name: request.name ?? "recovered", scope: .manage)
        let code = OneTimeCode(typed: request.code)
        let details = try await store.recover(code: code.digest, token: token, at: clock.now, using: entropy)
        alertSignal.wake()
        return OwnerTokenCreated(details: details, token: secret)
    }

    /// Makes new recovery codes, which replace all earlier ones.
    public func replaceRecoveryCodes(by act: OwnerAct) async throws -> RecoveryCodes {
        let codes = newRecoveryCodes()
        try await store.replaceRecoveryCodes(with: codes.map(\.digest), by: act)
        alertSignal.wake()
        return RecoveryCodes(recoveryCodes: codes.map(\.text))
    }
}
