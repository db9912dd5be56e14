package import RegistryAPI
package import RegistryRules
import RegistrySQL

// Finders' operations. None of them depends on whether the bike exists.
extension RegistryOperations {
    /// The secret for a form in which a finder can begin a conversation.
    package func newConversationSecret() -> ConversationSecret {
        var entropy = entropy
        return ConversationSecret(using: &entropy)
    }

    /// Begins a conversation. The owner is notified later, so that the response time reveals nothing.
    ///
    /// - Returns: its secret. It is a new one if the given secret belongs to a conversation with another beginning: a
    ///   finder who changes the text or the code in a form that was sent begins another conversation.
    ///
    /// - Parameter network: the finder's network; nil if there is no address.
    package func beginConversation(
        _ secret: ConversationSecret, about found: FoundBike, _ draft: MessageDraft,
        from network: ClientNetwork?
    ) async throws -> ConversationSecret {
        try await storing(secret) { secret, now, entropy in
            try await store.beginConversation(
                NewConversation(
                    id: ConversationID(at: now, using: &entropy), secret: secret.digest, found: found,
                    network: finderNetwork(network, at: now), text: draft.text, time: now))
        }
    }

    /// Stores the content of a form under the form's secret, or under a new one if that secret is taken.
    ///
    /// - Parameter store: stores it, and returns false if the secret is taken.
    /// - Returns: the secret under which it is stored.
    /// - Throws: what `store` throws.
    func storing(
        _ given: ConversationSecret,
        _ store: (ConversationSecret, Timestamp, inout Entropy) async throws -> Bool
    ) async throws -> ConversationSecret {
        var entropy = entropy
        let now = clock.now
        if try await store(given, now, &entropy) { return given }
        let other = ConversationSecret(using: &entropy)
        // It has as many random bits as a token, so it cannot be taken.
        _ = try await store(other, now, &entropy)
        return other
    }

    /// The numbers of a finder's network; zero if there is no address.
    func finderNetwork(_ network: ClientNetwork?, at time: Timestamp) -> FinderNetwork {
        guard let network else { return FinderNetwork() }
        return FinderNetwork(
            subscriber: findSenders.sender(in: network.subscriber, at: time),
            area: findSenders.sender(in: network.area, at: time))
    }

    package func conversation(_ secret: ConversationSecret) async throws -> Conversation? {
        try await store.conversation(secret.digest)
    }

    /// Adds a finder's message.
    ///
    /// - Parameter subscriber: the bytes that all addresses of the finder's subscriber have in common; nil if there is
    ///   no address.
    package func write(
        _ draft: MessageDraft, in secret: ConversationSecret, from subscriber: [UInt8]?
    ) async throws {
        let now = clock.now
        let network = subscriber.map { findSenders.sender(in: $0, at: now) } ?? FinderNetwork().subscriber
        try await store.write(draft.text, in: secret.digest, from: network, at: now)
    }

    package func endConversation(_ secret: ConversationSecret, isReported: Bool) async throws {
        try await store.endConversation(secret.digest, isReported: isReported, at: clock.now)
    }
}

// Operations of owners and operators.
extension RegistryOperations {
    /// Makes a code for a bike's sticker. Calling it again is safe: the new code replaces the previous one.
    package func setSticker(on bike: BikeID, by act: OwnerAct) async throws -> StickerCreated {
        var entropy = entropy
        let code = StickerCode(using: &entropy)
        let details = try await store.setSticker(code.digest, on: bike, by: act)
        return StickerCreated(details: details, code: code.text, link: publicURL.map { "\($0)/found/\(code.text)" })
    }

    package func settleConversation(_ id: ConversationID, by operator: OperatorID) async throws {
        try await store.settleConversation(id, by: act(of: `operator`))
    }
}
