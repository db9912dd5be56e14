import Evidence
public import RegistryAPI

extension RegistryOperations {
    /// The length and end of the audit, signed now.
    ///
    /// - Throws: `signingKeyMissing`.
    public func auditCheckpoint() async throws -> SignedCheckpoint {
        try await store.signedEnd(by: try requiredKeyring(), at: clock.now).1
    }

    /// The public keys that verify packs and checkpoints; empty if no key was ever created.
    public var publishedKeys: PublishedKeys { PublishedKeys(keys: keyring?.keys ?? []) }

    func requiredKeyring() throws(DomainError) -> Keyring {
        guard let keyring else { throw .signingKeyMissing }
        return keyring
    }
}
