import Logging
package import RegistryAPI
package import RegistryRules
import RegistrySQL

// Owners' operations on links to their searches.
extension RegistryOperations {
    /// Makes a link to the bike's open search.
    ///
    /// - Parameter token: the token or session of the call; when it ends, the link ends, too.
    /// - Throws: `linksUnavailable`, and what the store throws.
    package func createShare(
        _ draft: ShareDraft, on bike: BikeID, with token: TokenID?, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> ShareCreated {
        guard let publicURL else { throw DomainError.linksUnavailable }
        var entropy = entropy
        let secret = AccessToken(.share, using: &entropy)
        let share = NewShare(
            id: ShareID(at: act.time, using: &entropy), digest: secret.digest, label: draft.label, created: act.time,
            ends: ShareRules.end(draft.ends, at: act.time), token: token)
        let details = try await store.addShare(share, on: bike, by: act, once: once)
        return ShareCreated(details: details, link: "\(publicURL)/share#\(secret.text)", secret: secret.text)
    }

    package func shares(
        on bike: BikeID, of owner: OwnerID, _ page: PageRequest<ShareID>
    ) async throws -> StoredPage<Share, ShareID> {
        let stored = try await store.shares(on: bike, of: owner, page)
        return StoredPage(items: stored.items.map(shareViews.completing), next: stored.next)
    }
}

// Operations of anyone who has such a link.
extension RegistryOperations {
    /// Opens a shared search, which counts as a view.
    package func openShare(_ secret: SecretDigest) async throws -> SharedSearch {
        let opened = try await store.openShare(secret, at: clock.now)
        await noteView(of: opened.id)
        return opened.search
    }

    /// One picture of a photo of the shared search's bike. It does not count as a view.
    package func sharedPicture(
        _ size: PhotoSize, of photo: PhotoID, _ secret: SecretDigest
    ) async throws -> StoredPicture {
        try await picture(size, of: try await store.sharedPhoto(photo, secret, at: clock.now))
    }

    /// Writes to the owner of the shared search's bike, who can end the conversation, block its writer, or revoke the
    /// link.
    ///
    /// - Parameter network: as for finders.
    /// - Returns: the conversation's secret. It is a new one if the given secret belongs to another message.
    package func write(
        _ message: SharedMessage, by share: SecretDigest, from network: ClientNetwork?
    ) async throws -> ConversationSecret {
        let given = ConversationSecret(message.key.text) ?? newConversationSecret()
        return try await storing(given) { secret, now, entropy in
            try await store.beginConversation(
                NewSharedConversation(
                    id: ConversationID(at: now, using: &entropy), secret: secret.digest, share: share,
                    network: finderNetwork(network, at: now), text: message.text, time: now))
        }
    }

    /// Counts a view. If the disk cannot be written to, the link must still show the search.
    private func noteView(of share: ShareID) async {
        let count = shareViews.add(share, at: clock.now)
        guard count > 0 else { return }
        do {
            try await store.noteViews(count, of: share, at: clock.now)
        } catch {
            shareViews.putBack(count, of: share)
            logger.warning("views of a share cannot be kept", metadata: ["error": "\(error)"])
        }
    }
}
