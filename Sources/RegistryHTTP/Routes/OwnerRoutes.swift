import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls for an owner's account.
struct OwnerRoutes {
    let operations: RegistryOperations
    let exports: OwnerExportStreams

    func add(to routes: Routes<OwnerContext>) {
        routes.get("/v1/owner", .read, owner)
        routes.patch("/v1/owner", .manage, change)
        routes.delete("/v1/owner", .manage, erase)
        routes.get("/v1/owner/export", .read, export)
        routes.post("/v1/owner/recovery-codes", .manage, replaceRecoveryCodes)
    }

    @Sendable private func owner(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try .tagged(complete(try await operations.owner(context.owner)), for: request)
    }

    @Sendable private func change(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let patch = try await request.patch(OwnerPatch.rule(now: operations.clock.now))
        let owner = try await operations.owner(context.owner)
        try request.checkPrecondition(of: complete(owner), "owner")
        let changed = try await operations.changeOwner(owner, patch, by: context.act(request, operations))
        return try .tagged(complete(changed), for: request)
    }

    /// The owner with what the registry offers.
    private func complete(_ owner: Owner) -> Owner {
        var owner = owner
        owner.channelKinds = operations.channelKinds
        return owner
    }

    @Sendable private func erase(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let owner = try await operations.owner(context.owner)
        try request.checkPrecondition(of: complete(owner), "owner")
        try await operations.eraseOwner(owner, by: context.act(request, operations))
        return Response(status: .noContent)
    }

    @Sendable private func export(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let (operations, owner, token) = (operations, context.owner, Authentication.secret(in: request)?.text)
        return try exports.open(for: owner, over: context.connection) {
            guard let token, try await operations.credential(token: token)?.principal == .owner(owner) else {
                throw DomainError.unauthenticated
            }
        }
    }

    /// Not repeatable, since the recovery code that confirms it is used up.
    /// The response that arrived is the valid one.
    @Sendable private func replaceRecoveryCodes(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try await request.refuseContent()
        let codes = try await operations.replaceRecoveryCodes(by: context.act(request, operations))
        return try .json(codes, status: .created)
    }
}
