import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls for operators.
struct OperatorRoutes {
    let operations: RegistryOperations
    let store: any StationStore

    func add(to routes: Routes<OperatorContext>) {
        routes.post("/v1/invitations", invite)
        routes.get("/v1/invitations", invitations)
        routes.delete("/v1/invitations/:invitation", cancel)
        routes.post("/v1/owner-invitations", inviteOwner)
        routes.get("/v1/stations", stations)
        routes.get("/v1/stations/:station", station)
        routes.get("/v1/stations/:station/coverage", coverage)
        routes.patch("/v1/stations/:station", change)
        routes.delete("/v1/stations/:station", revoke)
    }

    /// An invitation has no path, so there is no `Location`.
    @Sendable private func invite(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let now = operations.clock.now
        let (draft, once) = try await request.creation(InvitationDraft.rule(now: now), of: context.principal, at: now)
        let invitation = try await operations.invite(draft, by: context.principal, once: once)
        return try .json(invitation, status: .created)
    }

    @Sendable private func invitations(_ request: Request, _: OperatorContext) async throws -> Response {
        try Paging.answer(
            try await store.pendingInvitations(try Paging.page(request), at: operations.clock.now), to: request)
    }

    @Sendable private func cancel(_: Request, _ context: OperatorContext) async throws -> Response {
        try await store.cancelInvitation(
            try context.id("invitation", of: "invitation"), by: context.principal, at: operations.clock.now)
        return Response(status: .noContent)
    }

    @Sendable private func inviteOwner(_ request: Request, _ context: OperatorContext) async throws -> Response {
        try await request.refuseContent()
        let once = try request.onceKey(of: context.principal, value: [String: String](), at: operations.clock.now)
        return try .json(try await operations.inviteOwner(by: context.id, once: once), status: .created)
    }

    @Sendable private func stations(_ request: Request, _: OperatorContext) async throws -> Response {
        try Paging.answer(try await operations.stations(try Paging.page(request)), to: request)
    }

    @Sendable private func station(_: Request, _ context: OperatorContext) async throws -> Response {
        try answer(try await operations.station(try context.id("station", of: "station")))
    }

    @Sendable private func coverage(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let day = try request.day(default: operations.clock.now)
        return try .json(try await store.coverage(of: try context.id("station", of: "station"), on: day))
    }

    @Sendable private func change(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let id: StationID = try context.id("station", of: "station")
        let version = try StateTag.version(of: "station", namedBy: request.headers[.ifMatch])
        let patch = try await request.value(StationPatch.rule(now: operations.clock.now))
        return try answer(
            try await operations.changeStation(id, patch, version: version, by: context.principal)
        )
    }

    /// `?quarantineSince=` is the time since which the station's sightings are not trusted.
    @Sendable private func revoke(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let id: StationID = try context.id("station", of: "station")
        var since: Timestamp?
        if let text = request.uri.queryParameters["quarantineSince"] {
            guard let time = Timestamp(text) else { throw RequestError.invalidTime(parameter: "quarantineSince") }
            since = time
        }
        return try .json(try await operations.revokeStation(id, quarantineSince: since, by: context.principal))
    }

    private func answer(_ found: VersionedStation) throws -> Response {
        try .json(found.station, headers: [.eTag: StateTag.text(of: found.version)])
    }
}
