import Evidence
public import RegistryAPI

extension RegistryOperations {
    public func auditEntries(
        _ filter: AuditFilter, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<AuditEntry, Int64> {
        try await store.auditEntries(filter, page)
    }

    /// The audit's length and end, signed now.
    ///
    /// - Throws: `signingKeyMissing`.
    public func auditCheckpoint() async throws -> SignedCheckpoint {
        try await store.signedEnd(by: try requiredKeyring(), at: clock.now).1
    }

    /// The checkpoints that the registry made by itself, the latest first.
    public func auditCheckpoints(
        _ page: PageRequest<Int64>
    ) async throws -> StoredPage<SignedCheckpoint, Int64> {
        try await store.auditCheckpoints(page)
    }

    /// The public keys that packs and checkpoints are or were signed with; none where none was ever made.
    public var publishedKeys: PublishedKeys { PublishedKeys(keys: keyring?.keys ?? []) }

    func requiredKeyring() throws(DomainError) -> Keyring {
        guard let keyring else { throw .signingKeyMissing }
        return keyring
    }
}
