package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// The kinds of channels that the settings enable.
    package var channelKinds: [ChannelKind] { notifiers.map(\.kind) }

    /// Adds a channel, if its notifier accepts it. Only a webhook's response contains a secret.
    package func createChannel(
        _ draft: ChannelDraft, of owner: OwnerID, once: IdempotencyKey?
    ) async throws -> ChannelCreated {
        try requireNotifier(for: draft)
        var entropy = entropy
        let now = clock.now
        let channel = Channel(
            id: ChannelID(at: now, using: &entropy), kind: draft.kind, address: draft.address,
            coordinates: draft.coordinates,
            after: draft.after, environment: draft.environment, created: now
        )
        let secret = SigningSecret(using: &entropy)
        let stored = try await store.addChannel(
            channel, ChannelSettings(draft), secret: secret, of: owner, once: once,
            verification: verification(of: channel, secret, at: now)
        )
        return ChannelCreated(
            channel: stored.channel, secret: stored.channel.kind == .webhook ? stored.secret.text : nil
        )
    }

    /// The verification message for an address that is not verified; nil for any other.
    func verification(of channel: Channel, _ secret: SigningSecret, at time: Timestamp) -> ChannelVerification? {
        guard channel.verified == nil, let publicURL else { return nil }
        var entropy = entropy
        let code = ChannelCode(.verification, of: channel.id, at: channel.address, secret: secret)
        let notice = OwnerNotice(.channelVerification, subject: code.link(at: publicURL, time))
        return ChannelVerification(id: AlertID(at: time, using: &entropy), notice: notice)
    }

    /// Refuses a channel whose kind is not enabled, or that its notifier does not accept.
    private func requireNotifier(for draft: ChannelDraft) throws {
        guard let notifier = notifiers.first(where: { $0.kind == draft.kind }) else {
            let offered = channelKinds.map(\.rawValue).sorted().joined(separator: ", ")
            let others = offered.isEmpty ? "nor is any other" : "which offers: \(offered)"
            throw DomainError.invalidField("/kind", "is not offered by this registry, \(others)")
        }
        let refusals = notifier.refusals(of: draft)
        guard refusals.isEmpty else { throw DomainError.invalidFields(refusals) }
    }

    package func channel(_ id: ChannelID, of owner: OwnerID) async throws -> Channel {
        guard let channel = try await store.channel(id, of: owner) else { throw DomainError.notFound("channel") }
        return channel
    }

    /// Changes a channel if it is unchanged since the caller saw it; its kind and its secret stay.
    package func changeChannel(_ channel: Channel, _ draft: ChannelDraft, by act: OwnerAct) async throws -> Channel {
        guard draft.kind == channel.kind else {
            throw DomainError.invalidField("/kind", "cannot change; add another channel instead")
        }
        guard let linked = try await store.linkedChannel(channel.id) else { throw DomainError.notFound("channel") }
        var draft = draft
        // Secrets that are not sent again are kept only if the address is unchanged;
        // they are never sent to another one.
        if draft.address == channel.address {
            draft.accessToken = draft.accessToken ?? linked.settings.accessToken
            draft.keys = draft.keys ?? linked.settings.keys
        }
        try requireNotifier(for: draft)
        let isSameAddress = draft.address == channel.address
        let changed = Channel(
            id: channel.id, kind: channel.kind, address: draft.address, coordinates: draft.coordinates,
            after: draft.after,
            environment: draft.environment, created: channel.created,
            verified: isSameAddress ? channel.verified : nil
        )
        return try await store.changeChannel(
            channel, to: changed, ChannelSettings(draft), by: act,
            verification: isSameAddress ? nil : verification(of: changed, linked.secret, at: act.time)
        )
    }
}
