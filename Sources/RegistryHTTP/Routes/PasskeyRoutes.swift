import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls for an owner's passkeys.
struct PasskeyRoutes {
    let operations: RegistryOperations
    let store: any SessionStore

    func add(to routes: Routes<OwnerContext>) {
        routes.post("/v1/owner/challenge", .report, challenge)
        routes.post("/v1/passkeys", .manage, add)
        routes.get("/v1/passkeys", .read, passkeys)
        routes.delete("/v1/passkeys/:passkey", .manage, remove)
    }

    @Sendable private func challenge(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try await request.refuseContent()
        return try .json(try await operations.challenge(for: context.owner), status: .created)
    }

    /// Not repeatable, since its challenge is used up. A passkey whose response was lost is in the list.
    @Sendable private func add(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let draft = try await request.value(PasskeyDraft.rule(now: operations.clock.now))
        let passkey = try await operations.addPasskey(draft, by: context.act(request, operations))
        return try .created(passkey, at: "/v1/passkeys/\(passkey.id)")
    }

    /// There are few, so that they fit one page.
    @Sendable private func passkeys(_: Request, _ context: OwnerContext) async throws -> Response {
        try .json(Page(items: try await store.passkeys(of: context.owner).map(\.details)))
    }

    @Sendable private func remove(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let id: PasskeyID = try context.id("passkey", of: "passkey")
        try await operations.removePasskey(id, by: context.act(request, operations))
        return Response(status: .noContent)
    }
}
