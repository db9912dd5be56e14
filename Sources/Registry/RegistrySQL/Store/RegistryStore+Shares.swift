package import RegistryAPI
package import RegistryRules

/// Links that let anyone who has one follow a search.
///
/// The reading operations take the secret itself and check it in the transaction that reads, so a share that has ended
/// or was revoked never shows anything. They all throw `shareUnknown` and `shareEnded`; those that show where the bike
/// is also throw `searchOver`.
extension RegistryStore {
    /// Adds a share of the bike's open report, and notifies the owner on all channels. A repeated call gives the first
    /// call's share this secret, since the earlier secret cannot be shown again.
    ///
    /// - Throws: `notFound`, `bikeNotMissing`, `ownerSuspended`, `sharesFull`, `tooManyToday`, `shareInUse`,
    ///   `idempotencyKeyReused`; `unauthenticated` if the token was revoked in the meantime.
    public func addShare(
        _ share: NewShare, on bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> Share {
        try await write { [quotas] db in try Shares(db).add(share, on: bike, by: act, once: once, quotas) }
    }

    /// A bike's shares that have not been deleted, in the order of their creation.
    ///
    /// - Throws: `notFound`.
    public func shares(
        on bike: BikeID, of owner: OwnerID, _ page: PageRequest<ShareID>
    ) async throws -> StoredPage<Share, ShareID> {
        try await read { try Shares($0).page(on: bike, of: owner, page) }
    }

    /// Revokes a share, and notifies the owner on all channels.
    ///
    /// - Throws: `notFound`.
    public func revokeShare(_ id: ShareID, on bike: BikeID, by act: OwnerAct) async throws {
        try await write { try Shares($0).revoke(id, on: bike, by: act) }
    }

    /// What a share shows.
    public func openShare(_ secret: SecretDigest, at time: Timestamp) async throws -> OpenedShare {
        try await read { try SharedSearches($0, secret, at: time).open() }
    }

    /// The sightings of the shared search in the order in which they were first stored.
    public func sharedSightings(
        _ secret: SecretDigest, at time: Timestamp, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64> {
        try await read { try SharedSearches($0, secret, at: time).sightings(page) }
    }

    /// See ``RegistryStore/sightingChanges(of:after:limit:)``.
    public func sharedChanges(
        _ secret: SecretDigest, at time: Timestamp, after revision: Int64, limit: Int
    ) async throws -> [SightingChange] {
        try await read { try SharedSearches($0, secret, at: time).changes(after: revision, limit: limit) }
    }

    /// A photo of the bike.
    ///
    /// - Throws: also `notFound`.
    public func sharedPhoto(_ id: PhotoID, _ secret: SecretDigest, at time: Timestamp) async throws -> StoredPhoto {
        try await read { try SharedSearches($0, secret, at: time).photo(id) }
    }

    /// Begins a conversation between somebody who follows the shared search and the bike's owner.
    ///
    /// - Returns: false if another conversation has the secret.
    /// - Throws: also `message(.tooManyConversations)`.
    public func beginConversation(_ new: NewSharedConversation) async throws -> Bool {
        try await write { try SharedSearches($0, new.share, at: new.time).beginConversation(new) }
    }

    /// Adds to the number of times that a share was opened; nothing happens if the share no longer exists.
    public func noteViews(_ count: Int, of share: ShareID, at time: Timestamp) async throws {
        try await write { try Shares($0).noteViews(count, of: share, at: time) }
    }
}
