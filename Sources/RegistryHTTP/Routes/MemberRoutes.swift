import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls for the members of bikes.
struct MemberRoutes {
    let operations: RegistryOperations
    let store: any MemberStore

    func add(to routes: Routes<OwnerContext>) {
        routes.post("/v1/bikes/:bike/invitations", .manage, invite)
        routes.get("/v1/bikes/:bike/invitations", .read, invitations)
        routes.delete("/v1/bikes/:bike/invitations/:invitation", .manage, cancel)
        routes.get("/v1/bikes/:bike/members", .read, members)
        routes.put("/v1/bikes/:bike/members/:member/role", .manage, changeRole)
        routes.delete("/v1/bikes/:bike/members/:member", .manage, remove)
        routes.post("/v1/memberships/offer", .report, offer)
        routes.post("/v1/memberships", .report, join)
    }

    @Sendable private func invite(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let (bike, act) = (try bikeID(context), context.act(request, operations))
        let (draft, once) = try await request.creation(
            MemberInvitationDraft.rule(now: act.time), of: context.principal, at: act.time)
        let created = try await operations.inviteMember(draft, to: bike, by: act, once: once)
        return try .created(created, at: "/v1/bikes/\(bike)/invitations/\(created.details.id)")
    }

    /// All invitations at once, since a bike has few.
    @Sendable private func invitations(_: Request, _ context: OwnerContext) async throws -> Response {
        let invitations = try await store.memberInvitations(
            of: try bikeID(context), by: context.owner, at: operations.clock.now)
        return try .json(Page(items: invitations))
    }

    @Sendable private func cancel(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let id: InvitationID = try context.id("invitation", of: "invitation")
        try await operations.cancelMemberInvitation(
            id, of: try bikeID(context), by: context.act(request, operations))
        return Response(status: .noContent)
    }

    /// All members at once, since a bike has few.
    @Sendable private func members(_: Request, _ context: OwnerContext) async throws -> Response {
        try .json(Page(items: try await store.members(of: try bikeID(context), by: context.owner)))
    }

    @Sendable private func changeRole(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let change = try await request.value(MemberRoleChange.rule(now: operations.clock.now))
        let member: MemberID = try context.id("member", of: "member")
        return try .json(
            try await operations.changeRole(
                of: member, on: try bikeID(context), to: change.role, by: context.act(request, operations)))
    }

    @Sendable private func remove(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let member: MemberID = try context.id("member", of: "member")
        try await operations.removeMember(member, of: try bikeID(context), by: context.act(request, operations))
        return Response(status: .noContent)
    }

    /// The secret is in the body: addresses end up in logs.
    @Sendable private func offer(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let acceptance = try await request.value(InvitationAcceptance.rule(now: operations.clock.now))
        return try .json(try await operations.membershipOffer(acceptance))
    }

    @Sendable private func join(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let act = context.act(request, operations)
        let (acceptance, once) = try await request.creation(
            InvitationAcceptance.rule(now: act.time), of: context.principal, at: act.time)
        let bike = try await operations.join(acceptance, by: act, once: once)
        return try .tagged(bike, for: request, status: .created, at: "/v1/bikes/\(bike.id)")
    }

    private func bikeID(_ context: OwnerContext) throws -> BikeID { try context.id("bike", of: "bike") }
}
