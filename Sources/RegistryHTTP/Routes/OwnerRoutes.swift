import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// An owner's account and channels.
struct OwnerRoutes {
    let operations: RegistryOperations

    func add(to routes: Routes<OwnerContext>) {
        routes.get("/v1/owner", .read, owner)
        routes.post("/v1/channels", .manage, createChannel)
        routes.get("/v1/channels", .read, channels)
        routes.delete("/v1/channels/:channel", .manage, removeChannel)
    }

    @Sendable private func owner(_: Request, _ context: OwnerContext) async throws -> Response {
        try .json(try await operations.owner(context.owner))
    }

    @Sendable private func createChannel(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let now = operations.clock.now
        let (draft, once) = try await request.creation(ChannelDraft.rule, of: context.principal, at: now)
        let created = try await operations.createChannel(draft, of: context.owner, once: once)
        return try .created(created, at: "/v1/channels/\(created.channel.id)")
    }

    @Sendable private func channels(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let page = try await operations.channels(of: context.owner, try Paging.page(request))
        return try Paging.answer(page, to: request)
    }

    @Sendable private func removeChannel(_: Request, _ context: OwnerContext) async throws -> Response {
        try await operations.removeChannel(try context.id("channel", of: "channel"), of: context.owner)
        return Response(status: .noContent)
    }
}
