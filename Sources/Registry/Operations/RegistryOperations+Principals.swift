import Logging
import RegistryAPI

extension RegistryOperations {
    /// The caller that this token authenticates; nil for any text that is not a valid token.
    public func credential(token text: String) async throws -> Credential? {
        guard let token = AccessToken(text), let credential = try await store.credential(token: token.digest) else {
            return nil
        }
        if let used = credential.tokenToNote(at: clock.now) { await noteUse(of: used) }
        return credential
    }

    /// Records the use of a token. A disk that cannot be written must not make a call fail that only reads.
    private func noteUse(of token: TokenID) async {
        do {
            try await store.noteUse(of: token, at: clock.now)
        } catch {
            logger.warning("a token’s use cannot be kept", metadata: ["error": "\(error)"])
        }
    }
}
