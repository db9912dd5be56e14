import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI
import StickerSheets

/// The calls of owners for stickers and for conversations with finders, and of operators for those that were reported.
struct ConversationRoutes {
    let operations: RegistryOperations
    let store: any ConversationStore

    static let path = "/v1/bikes/:bike/conversations"
    static let sticker = "/v1/bikes/:bike/sticker"
    static let reported = "/v1/reported-conversations"

    /// A thief with the unlocked phone must not make the sticker's code invalid, so that takes the scope `manage`.
    func add(to routes: Routes<OwnerContext>) {
        routes.put(Self.sticker, .manage, setSticker)
        routes.get(Self.sticker, .read, sticker)
        routes.delete(Self.sticker, .manage, revokeSticker)
        routes.get(Self.path, .read, conversations)
        routes.get(Self.path + "/:conversation", .read, conversation)
        routes.post(Self.path + "/:conversation/answers", .report, answer)
        routes.put(Self.path + "/:conversation/closure", .report, close)
    }

    func add(to routes: Routes<OperatorContext>) {
        routes.get(Self.reported, reportedConversations)
        routes.delete(Self.reported + "/:conversation", settle)
    }

    @Sendable private func setSticker(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try await request.refuseContent()
        var created = try await operations.setSticker(on: try bikeID(context), by: context.act(request, operations))
        created.sheet = created.link.flatMap { StickerSheet(code: created.code, link: $0)?.svg }
        return try .json(created)
    }

    @Sendable private func sticker(_: Request, _ context: OwnerContext) async throws -> Response {
        try .json(try await store.sticker(of: try bikeID(context), by: context.owner))
    }

    @Sendable private func revokeSticker(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try await operations.revokeSticker(of: try bikeID(context), by: context.act(request, operations))
        return Response(status: .noContent)
    }

    @Sendable private func conversations(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let page = try await store.conversations(
            of: try bikeID(context), by: context.owner, try Paging.page(request))
        return try Paging.answer(page, to: request)
    }

    @Sendable private func conversation(_: Request, _ context: OwnerContext) async throws -> Response {
        try .json(
            try await store.conversation(try conversationID(context), of: try bikeID(context), by: context.owner))
    }

    @Sendable private func answer(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let act = context.act(request, operations)
        let (draft, once) = try await request.creation(
            MessageDraft.rule(now: act.time), of: context.principal, at: act.time)
        let answered = try await store.answer(
            draft.text, in: try conversationID(context), of: try bikeID(context), by: act, once: once)
        return try .json(answered, status: .created)
    }

    @Sendable private func close(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let closure = try await request.optionalValue(ConversationClosure.rule(now: operations.clock.now))
        return try .json(
            try await operations.closeConversation(
                try conversationID(context), of: try bikeID(context), closure, by: context.act(request, operations)))
    }

    @Sendable private func reportedConversations(_ request: Request, _: OperatorContext) async throws -> Response {
        try Paging.answer(try await store.reportedConversations(try Paging.page(request)), to: request)
    }

    @Sendable private func settle(_: Request, _ context: OperatorContext) async throws -> Response {
        let id: ConversationID = try context.id("conversation", of: "conversation")
        try await operations.settleConversation(id, by: context.id)
        return Response(status: .noContent)
    }

    private func bikeID(_ context: OwnerContext) throws -> BikeID { try context.id("bike", of: "bike") }

    private func conversationID(_ context: OwnerContext) throws -> ConversationID {
        try context.id("conversation", of: "conversation")
    }
}
