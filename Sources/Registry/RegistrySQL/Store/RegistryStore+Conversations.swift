package import RegistryAPI
package import RegistryRules

/// Stickers, and the conversations of finders and owners.
///
/// A conversation about a bike that does not exist is stored like any other, but has no reader: so a finder does not
/// learn whether a code or a beacon belongs to a bike.
extension RegistryStore {
    /// Gives a bike's sticker another code; the previous one no longer works. Notifies the owner on all channels.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `ownerSuspended`, `tooManyToday`.
    public func setSticker(_ code: SecretDigest, on bike: BikeID, by act: OwnerAct) async throws -> Sticker {
        try await write { [quotas] db in try Stickers(db).set(code, on: bike, by: act, quotas) }
    }

    /// The sticker of a bike.
    ///
    /// - Throws: `notFound` if the caller does not see the bike, or if it has no sticker.
    public func sticker(of bike: BikeID, by owner: OwnerID) async throws -> Sticker {
        try await read { try Stickers($0).find(of: bike, by: owner) }
    }

    /// Makes a sticker's code invalid, and notifies the owner on all channels.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    public func revokeSticker(of bike: BikeID, by act: OwnerAct) async throws {
        try await write { try Stickers($0).revoke(of: bike, by: act) }
    }

    /// Begins a conversation. If there is one with this secret that began with the same message, nothing happens.
    ///
    /// - Returns: false if there is another one with this secret; then nothing is stored.
    /// - Throws: `message(.tooManyConversations)`, whether or not the bike exists.
    public func beginConversation(_ new: NewConversation) async throws -> Bool {
        try await write { try FinderConversations($0).begin(new) }
    }

    /// The conversation of a finder; nil if there is none with this secret.
    public func conversation(_ secret: SecretDigest) async throws -> Conversation? {
        try await read { try FinderConversations($0).find(secret) }
    }

    /// Adds a message of the finder. If the owner has blocked the finder's network today, the conversation ends instead.
    ///
    /// - Parameter network: the finder's network today (``FinderNetwork/subscriber``).
    /// - Throws: `notFound`, `message`.
    public func write(
        _ text: String, in secret: SecretDigest, from network: Int64, at time: Timestamp
    ) async throws {
        try await write { try FinderConversations($0).write(text, in: secret, from: network, at: time) }
    }

    /// Refuses a finder's photo before its file is converted.
    ///
    /// - Throws: `notFound`, `message`.
    public func refusePhoto(in secret: SecretDigest, from network: FinderNetwork, at time: Timestamp) async throws {
        _ = try await read { try FinderPhotos($0).refuseTooMany(in: secret, from: network, at: time) }
    }

    /// Adds a finder's photo whose pictures are stored. If the owner has blocked the finder's network today, the
    /// conversation ends instead.
    ///
    /// - Throws: the same as ``refusePhoto(in:from:at:)``.
    public func addPhoto(
        _ photo: StoredPhoto, in secret: SecretDigest, from network: FinderNetwork, at time: Timestamp
    ) async throws {
        try await write { try FinderPhotos($0).add(photo, in: secret, from: network, at: time) }
    }

    /// A photo for the finder who added it.
    ///
    /// - Throws: `notFound`.
    public func photo(_ id: PhotoID, in secret: SecretDigest) async throws -> StoredPhoto {
        try await read { try FinderPhotos($0).find(id, in: secret) }
    }

    /// A finder's photo for the owner, and for members who read conversations.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    public func photo(
        _ id: PhotoID, in conversation: ConversationID, of bike: BikeID, by owner: OwnerID
    ) async throws -> StoredPhoto {
        try await read { try FinderPhotos($0).find(id, in: conversation, of: bike, by: owner) }
    }

    /// A finder’s photo for the operator, who reads only reported conversations.
    ///
    /// - Throws: `notFound`.
    public func reportedPhoto(_ id: PhotoID, in conversation: ConversationID) async throws -> StoredPhoto {
        try await read { try FinderPhotos($0).findReported(id, in: conversation) }
    }

    /// Ends a conversation for its finder. The finder can also report it, even after its end, if the owner has written
    /// or if the conversation is about a number.
    ///
    /// - Throws: `notFound`, `message(.tooManyReports)`.
    public func endConversation(_ secret: SecretDigest, isReported: Bool, at time: Timestamp) async throws {
        try await write { try FinderConversations($0).end(secret, isReported: isReported, at: time) }
    }

    /// A bike's conversations, in the order of ``ConversationRank``. The cursor is a position in this order.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    public func conversations(
        of bike: BikeID, by owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Conversation, Int64> {
        try await readAtLength { try OwnerConversations($0).page(of: bike, by: owner, page) }
    }

    /// A conversation for the owner, with all messages.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    public func conversation(_ id: ConversationID, of bike: BikeID, by owner: OwnerID) async throws -> Conversation {
        try await read { try OwnerConversations($0).find(id, of: bike, by: owner) }
    }

    /// Adds a message of the owner. A repeated call adds nothing.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `message`, `ownerSuspended`, `idempotencyKeyReused`.
    public func answer(
        _ text: String, in id: ConversationID, of bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> Conversation {
        try await write { [quotas] db in
            try OwnerConversations(db).answer(text, in: id, of: bike, by: act, once: once, quotas)
        }
    }

    /// Ends a conversation, and blocks or reports its finder, even after it has ended. A block also ends the other open
    /// conversations about the bike whose finders wrote last from the same network on the same day. While the bike is
    /// missing, the owner is notified on all channels.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `message(.tooManyReports)`.
    public func closeConversation(
        _ id: ConversationID, of bike: BikeID, _ closure: ConversationClosure, by act: OwnerAct
    ) async throws -> Conversation {
        try await write { try OwnerConversations($0).close(id, of: bike, closure, by: act) }
    }

    /// The reported conversations that are not settled, the earliest first.
    public func reportedConversations(
        _ page: PageRequest<ConversationID>
    ) async throws -> StoredPage<ReportedConversation, ConversationID> {
        try await read { try ConversationReports($0).page(page) }
    }

    /// Takes a conversation off the list of reported ones.
    ///
    /// - Throws: `notFound`.
    public func settleConversation(_ id: ConversationID, by act: OperatorAct) async throws {
        try await write { try ConversationReports($0).settle(id, by: act) }
    }

    public func tellMessages(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        guard try await read({ try MessageNotices($0).areWaiting() }) else { return 0 }
        return try await write { try MessageNotices($0).tell(limit: limit, at: time, using: entropy) }
    }

    public func ageConversations(limit: Int, at time: Timestamp) async throws -> Int {
        try await write { try Conversations($0).age(limit: limit, at: time) }
    }
}
