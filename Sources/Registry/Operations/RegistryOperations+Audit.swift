import Evidence
package import RegistryAPI
import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// The length and end of the audit, signed now.
    ///
    /// - Throws: `signingKeyMissing`.
    package func auditCheckpoint() async throws -> SignedCheckpoint {
        try await store.signedEnd(by: try requiredKeyring(), at: clock.now).1
    }

    /// The public keys that verify packs and checkpoints; empty if no key was ever created.
    package var publishedKeys: PublishedKeys { PublishedKeys(keys: keyring?.keys ?? []) }

    func requiredKeyring() throws(DomainError) -> Keyring {
        guard let keyring else { throw .signingKeyMissing }
        return keyring
    }
}
