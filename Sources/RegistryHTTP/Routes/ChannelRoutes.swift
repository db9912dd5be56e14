import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls for the channels that receive an owner's alerts.
struct ChannelRoutes {
    let operations: RegistryOperations
    let store: any ChannelStore

    func add(to routes: Routes<OwnerContext>) {
        routes.post("/v1/channels", .manage, create)
        routes.get("/v1/channels", .read, channels)
        routes.get("/v1/channels/:channel", .read, channel)
        routes.put("/v1/channels/:channel", .manage, change)
        routes.delete("/v1/channels/:channel", .manage, remove)
        routes.post("/v1/channels/:channel/test", .manage, test)
        routes.post("/v1/channels/:channel/verification", .manage, ask)
        routes.get("/v1/channels/:channel/deliveries", .read, deliveries)
    }

    @Sendable private func create(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let now = operations.clock.now
        let (draft, once) = try await request.creation(ChannelDraft.rule(now: now), of: context.principal, at: now)
        let created = try await operations.createChannel(draft, of: context.owner, once: once)
        return try .created(created, at: "/v1/channels/\(created.channel.id)")
    }

    @Sendable private func channels(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let page = try await store.channels(of: context.owner, try Paging.page(request))
        return try Paging.answer(page, to: request)
    }

    @Sendable private func channel(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try .tagged(try await seen(context), for: request)
    }

    @Sendable private func change(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let draft = try await request.value(ChannelDraft.rule(now: operations.clock.now))
        let channel = try await seen(context)
        try request.checkPrecondition(of: channel, "channel")
        let changed = try await operations.changeChannel(channel, draft, by: context.act(request, operations))
        return try .tagged(changed, for: request)
    }

    @Sendable private func remove(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let channel = try await seen(context)
        try request.checkPrecondition(of: channel, "channel")
        try await operations.removeChannel(channel, by: context.act(request, operations))
        return Response(status: .noContent)
    }

    /// A repeated call sends another message, which is its purpose.
    @Sendable private func test(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try await request.refuseContent()
        return try .json(try await operations.testChannel(try channelID(context), of: context.owner))
    }

    @Sendable private func ask(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try await request.refuseContent()
        try await operations.askChannel(try channelID(context), of: context.owner)
        return Response(status: .accepted)
    }

    @Sendable private func deliveries(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let page = try await operations.deliveries(
            to: try channelID(context), of: context.owner, try Paging.page(request)
        )
        return try Paging.answer(page, to: request)
    }

    private func channelID(_ context: OwnerContext) throws -> ChannelID { try context.id("channel", of: "channel") }

    private func seen(_ context: OwnerContext) async throws -> Channel {
        try await operations.channel(try channelID(context), of: context.owner)
    }
}
