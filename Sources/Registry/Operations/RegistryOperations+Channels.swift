public import RegistryAPI

extension RegistryOperations {
    /// Adds a channel that its notifier accepts.
    public func createChannel(
        _ draft: ChannelDraft, of owner: OwnerID, once: OnceKey?
    ) async throws -> ChannelCreated {
        guard let notifier = notifiers.first(where: { $0.kind == draft.kind }) else {
            let detail = "is not offered by this registry"
            throw DomainError.invalidFields([FieldError(pointer: "/kind", detail: detail)])
        }
        let refusals = notifier.refusals(of: draft)
        guard refusals.isEmpty else { throw DomainError.invalidFields(refusals) }
        var entropy = entropy
        let now = clock.now
        let channel = Channel(
            id: ChannelID(at: now, using: &entropy), kind: draft.kind, url: draft.url, created: now
        )
        let stored = try await store.addChannel(
            channel, secret: SigningSecret(using: &entropy), of: owner, once: once
        )
        return ChannelCreated(channel: stored.channel, secret: stored.secret.text)
    }

    public func channels(
        of owner: OwnerID, _ page: PageRequest<ChannelID>
    ) async throws -> StoredPage<Channel, ChannelID> {
        try await store.channels(of: owner, page)
    }

    public func removeChannel(_ id: ChannelID, of owner: OwnerID) async throws {
        try await store.removeChannel(id, of: owner)
    }
}
