import HTTPClient
public import RegistryAPI

// Requests about stickers, and about conversations with finders.
extension RegistryConnection {
    /// Makes a code for a bike's sticker. Retrying is safe: only the last code works.
    public func setSticker(on bike: BikeID) async throws -> StickerCreated {
        try Self.decode(await answer(to: request(.put, "/v1/bikes/\(bike)/sticker"), isRepeatable: true))
    }

    /// Whether the bike has a sticker with a valid code.
    public func hasSticker(on bike: BikeID) async throws -> Bool {
        do {
            let _: Sticker = try await get("/v1/bikes/\(bike)/sticker")
            return true
        } catch RegistryError.refused(let problem, _) where problem.status == 404 {
            return false
        }
    }

    /// Makes the code on the bike's sticker invalid.
    public func revokeSticker(of bike: BikeID) async throws {
        try await delete("/v1/bikes/\(bike)/sticker")
    }

    /// The conversations about a bike, each with its latest message only.
    public func conversations(of bike: BikeID, after cursor: String? = nil) async throws -> Page<Conversation> {
        try await get("/v1/bikes/\(bike)/conversations" + Self.query(cursor))
    }

    /// A conversation with all its messages.
    public func conversation(_ id: ConversationID, of bike: BikeID) async throws -> Conversation {
        try await get("/v1/bikes/\(bike)/conversations/\(id)")
    }

    /// Writes to the finder as the owner.
    public func answer(
        _ draft: MessageDraft, in id: ConversationID, of bike: BikeID, idempotencyKey: String = newIdempotencyKey
    ) async throws -> Conversation {
        try await post("/v1/bikes/\(bike)/conversations/\(id)/answers", draft, idempotencyKey: idempotencyKey)
    }

    /// Ends a conversation. Retrying is safe: it stays ended.
    public func closeConversation(
        _ id: ConversationID, of bike: BikeID, _ closure: ConversationClosure
    ) async throws -> Conversation {
        let body = try Self.encode(closure)
        let request = request(.put, "/v1/bikes/\(bike)/conversations/\(id)/closure", body: body)
        return try Self.decode(await answer(to: request, isRepeatable: true))
    }

    /// The conversations that were reported, with the operator's token.
    public func reportedConversations(after cursor: String? = nil) async throws -> Page<ReportedConversation> {
        try await get("/v1/reported-conversations" + Self.query(cursor))
    }

    /// Says that an operator has dealt with the report about a conversation.
    public func settleConversation(_ id: ConversationID) async throws {
        try await delete("/v1/reported-conversations/\(id)")
    }
}
