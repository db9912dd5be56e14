package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func setSticker(_ code: SecretDigest, on bike: BikeID, by act: OwnerAct) async throws -> Sticker {
        try await write { [quotas] db in try Stickers(db).set(code, on: bike, by: act, quotas) }
    }

    public func sticker(of bike: BikeID, by owner: OwnerID) async throws -> Sticker {
        try await read { try Stickers($0).find(of: bike, by: owner) }
    }

    public func revokeSticker(of bike: BikeID, by act: OwnerAct) async throws {
        try await write { try Stickers($0).revoke(of: bike, by: act) }
    }

    public func beginConversation(_ new: NewConversation) async throws -> Bool {
        try await write { try FinderConversations($0).begin(new) }
    }

    public func conversation(_ secret: SecretDigest) async throws -> Conversation? {
        try await read { try FinderConversations($0).find(secret) }
    }

    public func write(
        _ text: String, in secret: SecretDigest, from network: Int64, at time: Timestamp
    ) async throws {
        try await write { try FinderConversations($0).write(text, in: secret, from: network, at: time) }
    }

    public func endConversation(_ secret: SecretDigest, isReported: Bool, at time: Timestamp) async throws {
        try await write { try FinderConversations($0).end(secret, isReported: isReported, at: time) }
    }

    public func conversations(
        of bike: BikeID, by owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Conversation, Int64> {
        try await readAtLength { try OwnerConversations($0).page(of: bike, by: owner, page) }
    }

    public func conversation(_ id: ConversationID, of bike: BikeID, by owner: OwnerID) async throws -> Conversation {
        try await read { try OwnerConversations($0).find(id, of: bike, by: owner) }
    }

    public func answer(
        _ text: String, in id: ConversationID, of bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> Conversation {
        try await write { [quotas] db in
            try OwnerConversations(db).answer(text, in: id, of: bike, by: act, once: once, quotas)
        }
    }

    public func closeConversation(
        _ id: ConversationID, of bike: BikeID, _ closure: ConversationClosure, by act: OwnerAct
    ) async throws -> Conversation {
        try await write { try OwnerConversations($0).close(id, of: bike, closure, by: act) }
    }

    public func reportedConversations(
        _ page: PageRequest<ConversationID>
    ) async throws -> StoredPage<ReportedConversation, ConversationID> {
        try await read { try ConversationReports($0).page(page) }
    }

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
