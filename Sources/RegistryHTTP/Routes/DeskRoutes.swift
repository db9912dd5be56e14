import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls for operators' sessions in browsers, and for their passkeys.
struct DeskRoutes {
    let operations: RegistryOperations
    let store: any DeskStore
    let sameOrigin: SameOrigin
    let limiter: RateLimiter

    static let session = "/v1/desk/session"

    func add(to routes: Routes<RegistryContext>) {
        routes.post(Self.session, signIn)
        routes.delete(Self.session, signOut)
    }

    /// - Parameter routes: those of ``DeskVisitorMiddleware``.
    func addChallenge(to routes: Routes<RegistryContext>) { routes.post("/v1/desk/passkeys/challenge", challenge) }

    func add(to routes: Routes<OperatorContext>) {
        routes.get(Self.session, session)
        routes.post("/v1/desk/session/confirmation", confirm)
        routes.get("/v1/desk/sessions", sessions)
        routes.delete("/v1/desk/sessions/:session", end)
        routes.post("/v1/desk/passkeys", addPasskey)
        routes.get("/v1/desk/passkeys", passkeys)
        routes.delete("/v1/desk/passkeys/:passkey", removePasskey)
    }

    /// Only a browser at the registry's own pages can sign in, as with owners.
    @Sendable private func signIn(_ request: Request, _ context: RegistryContext) async throws -> Response {
        try sameOrigin.check(request.head)
        let proof = try await request.value(DeskSignIn.rule(now: operations.clock.now))
        let opened = try await countingWrongTokens(request, context) { try await operations.openDesk(proof) }
        if let former = DeskCookie.secret(in: request.headers) { await operations.closeFormerDesk(secret: former) }
        var session = opened.session
        session.current = true
        var response = try Response.created(session, at: Self.session)
        response.headers[.setCookie] = DeskCookie.setting(opened.secret)
        return response
    }

    /// The response is always the same, so that a browser can get rid of a session that has ended.
    @Sendable private func signOut(_ request: Request, _: RegistryContext) async throws -> Response {
        if let secret = DeskCookie.secret(in: request.headers) {
            try sameOrigin.check(request.head)
            try await operations.closeDesk(secret: secret)
        }
        return Response(status: .noContent, headers: [.setCookie: DeskCookie.removing])
    }

    /// For the operator who is signed in; otherwise for signing in.
    @Sendable private func challenge(_ request: Request, _ context: RegistryContext) async throws -> Response {
        try await request.refuseContent()
        guard case .operator(let id) = context.principal else {
            return try .json(try await operations.challengeForAnyone(), status: .created)
        }
        return try .json(try await operations.challenge(for: id), status: .created)
    }

    @Sendable private func session(_: Request, _ context: OperatorContext) async throws -> Response {
        try .json(try await operations.deskSession(try own(context), of: context.id))
    }

    @Sendable private func confirm(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let confirmation = try await request.value(DeskConfirmation.rule(now: operations.clock.now))
        let id = try own(context)
        return try .json(
            try await countingWrongTokens(request, context.client) {
                try await operations.confirmDesk(id, of: context.id, confirmation)
            })
    }

    /// There are few, so that they fit one page.
    @Sendable private func sessions(_: Request, _ context: OperatorContext) async throws -> Response {
        try .json(Page(items: try await operations.deskSessions(of: context.id, current: context.session)))
    }

    @Sendable private func end(_: Request, _ context: OperatorContext) async throws -> Response {
        try await operations.endDesk(try context.id("session", of: "session"), of: context.id)
        return Response(status: .noContent)
    }

    /// Not repeatable, since its challenge is used up. A passkey whose response was lost is in the list.
    @Sendable private func addPasskey(_ request: Request, _ context: OperatorContext) async throws -> Response {
        let draft = try await request.value(PasskeyDraft.rule(now: operations.clock.now))
        let passkey = try await operations.addDeskPasskey(draft, of: context.id)
        return try .created(passkey, at: "/v1/desk/passkeys/\(passkey.id)")
    }

    @Sendable private func passkeys(_: Request, _ context: OperatorContext) async throws -> Response {
        try .json(Page(items: try await store.deskPasskeys(of: context.id).map(\.details)))
    }

    @Sendable private func removePasskey(_: Request, _ context: OperatorContext) async throws -> Response {
        try await operations.removeDeskPasskey(try context.id("passkey", of: "passkey"), of: context.id)
        return Response(status: .noContent)
    }

    /// The session of the request; a request with a token has none.
    private func own(_ context: OperatorContext) throws -> DeskSessionID {
        guard let id = context.session else { throw DomainError.notFound("session") }
        return id
    }

    private func countingWrongTokens<Result>(
        _ request: Request, _ context: RegistryContext, _ call: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await call()
        } catch DomainError.tokenUnusable {
            try limiter.admit(.wrongTokens, request.head, of: context)
            throw DomainError.tokenUnusable
        }
    }
}
