import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls for an owner's tokens.
struct TokenRoutes {
    let operations: RegistryOperations
    let store: any OwnerStore

    func add(to routes: Routes<OwnerContext>) {
        routes.get("/v1/owner/tokens", .read, tokens)
        routes.post("/v1/owner/tokens", .manage, create)
        routes.delete("/v1/owner/tokens/:id", .manage, revoke)
    }

    @Sendable private func tokens(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let page = try await store.tokens(of: context.owner, try Paging.page(request))
        return try Paging.answer(page, to: request)
    }

    @Sendable private func create(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let act = context.act(request, operations)
        let (draft, once) = try await request.creation(
            TokenDraft.rule(now: act.time), of: context.principal, at: act.time)
        let created = try await operations.createToken(draft, by: act, once: once)
        return try .created(created, at: "/v1/owner/tokens/\(created.details.id)")
    }

    /// A token may revoke itself.
    @Sendable private func revoke(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let id: TokenID = try context.id("id", of: "token")
        try await operations.revokeToken(id, by: context.act(request, operations))
        return Response(status: .noContent)
    }
}
