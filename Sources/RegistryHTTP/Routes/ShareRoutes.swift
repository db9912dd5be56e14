import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls of owners for links to their searches.
struct ShareRoutes {
    let operations: RegistryOperations

    /// To make a link needs a passkey that was just used: with one, a thief could follow the trail from anywhere, long
    /// after the phone is locked. Revoking it must be easy.
    func add(to routes: Routes<OwnerContext>) {
        routes.post("/v1/bikes/:bike/shares", .manage, create)
        routes.get("/v1/bikes/:bike/shares", .read, shares)
        routes.delete("/v1/bikes/:bike/shares/:share", .report, revoke)
    }

    @Sendable private func create(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let act = context.act(request, operations)
        let bike: BikeID = try context.id("bike", of: "bike")
        let (draft, once) = try await request.creation(
            ShareDraft.rule(now: act.time), of: context.principal, at: act.time)
        let created = try await operations.createShare(
            draft, on: bike, with: context.client.token, by: act, once: once)
        return try .created(created, at: "/v1/bikes/\(bike)/shares/\(created.details.id)")
    }

    @Sendable private func shares(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let bike: BikeID = try context.id("bike", of: "bike")
        let page = try await operations.shares(on: bike, of: context.owner, try Paging.page(request))
        return try Paging.answer(page, to: request)
    }

    @Sendable private func revoke(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let share: ShareID = try context.id("share", of: "share")
        let bike: BikeID = try context.id("bike", of: "bike")
        try await operations.revokeShare(share, on: bike, by: context.act(request, operations))
        return Response(status: .noContent)
    }
}
