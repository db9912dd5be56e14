package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Makes a token for an owner; its secret is shown only once.
    package func createToken(
        _ draft: TokenDraft, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> OwnerTokenCreated {
        let (token, secret) = newToken(name: draft.name, scope: draft.scope)
        let details = try await store.addToken(token, by: act, once: once)
        return OwnerTokenCreated(details: details, token: secret)
    }

    /// Exchanges a recovery code for a token with the widest scope. Every invalid code takes the same path: it is
    /// hashed and looked up.
    package func recover(_ request: RecoveryRequest) async throws -> OwnerTokenCreated {
        let (token, secret) = newToken(name: request.name ?? "recovered", scope: .manage)
        let code = OneTimeCode(typed: request.code)
        let details = try await store.recover(code: code.digest, token: token, at: clock.now, using: entropy)
        return OwnerTokenCreated(details: details, token: secret)
    }

    /// Makes new recovery codes, which replace all earlier ones.
    package func replaceRecoveryCodes(by act: OwnerAct) async throws -> RegistryAPI.RecoveryCodes {
        let codes = newRecoveryCodes()
        try await store.replaceRecoveryCodes(with: codes.map(\.digest), by: act)
        return RegistryAPI.RecoveryCodes(recoveryCodes: codes.map(\.text))
    }
}
