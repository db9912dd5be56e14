import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// An operator's calls.
struct OperatorRoutes {
    let operations: RegistryOperations

    func add(to routes: Routes<OperatorContext>) {
        routes.post("/v1/invitations", invite)
        routes.post("/v1/owner-invitations", inviteOwner)
        routes.get("/v1/stations", stations)
    }

    /// An invitation has no path of its own: no `Location`.
    @Sendable private func invite(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let now = operations.clock.now
        let (draft, once) = try await request.creation(InvitationDraft.rule, of: context.principal, at: now)
        return try .json(try await operations.invite(draft, once: once), status: .created)
    }

    @Sendable private func inviteOwner(_ request: Request, _ context: OperatorContext) async throws -> Response {
        try await request.refuseContent()
        let once = try request.onceKey(of: context.principal, value: [String: String](), at: operations.clock.now)
        return try .json(try await operations.inviteOwner(by: context.id, once: once), status: .created)
    }

    @Sendable private func stations(_ request: Request, _: OperatorContext) async throws -> Response {
        try Paging.answer(try await operations.stations(try Paging.page(request)), to: request)
    }
}
