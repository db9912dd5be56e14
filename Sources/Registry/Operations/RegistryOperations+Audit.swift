import Evidence
public import RegistryAPI

extension RegistryOperations {
    /// The audit's length and end, signed now.
    ///
    /// - Throws: `signingKeyMissing`.
    public func auditCheckpoint() async throws -> SignedCheckpoint {
        try await store.signedEnd(by: try requiredKeyring(), at: clock.now).1
    }

    /// The public keys that packs and checkpoints are or were signed with; none where none was ever made.
    public var publishedKeys: PublishedKeys { PublishedKeys(keys: keyring?.keys ?? []) }

    func requiredKeyring() throws(DomainError) -> Keyring {
        guard let keyring else { throw .signingKeyMissing }
        return keyring
    }
}
