import Logging
import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// The caller that this token authenticates; nil for any text that is not a valid token.
    package func credential(token text: String) async throws -> Credential? {
        guard let token = AccessToken(text), var credential = try await store.credential(token: token.digest) else {
            return nil
        }
        let now = clock.now
        if let session = credential.session {
            guard now < session.expires else { return nil }
            credential.scope = session.scope(ceiling: credential.ceiling, at: now)
        }
        if let used = credential.tokenToNote(at: now) {
            await noteUse(of: used)
            credential.isRenewed = credential.session != nil
        }
        return credential
    }

    /// Records the use of a token. If the disk cannot be written to, a call that only reads must still succeed.
    private func noteUse(of token: TokenID) async {
        do {
            try await store.noteUse(of: token, at: clock.now)
        } catch {
            logger.warning("a token’s use cannot be kept", metadata: ["error": "\(error)"])
        }
    }
}
