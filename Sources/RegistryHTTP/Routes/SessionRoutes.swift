import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls for signing up and in with a browser, and for the sessions that result.
struct SessionRoutes {
    let operations: RegistryOperations
    let store: any SessionStore
    let sameOrigin: SameOrigin
    let limiter: RateLimiter

    func add(to routes: Routes<RegistryContext>) {
        routes.post("/v1/passkeys/challenge", challengeAnyone)
        routes.post("/v1/sign-up", signUp)
        routes.post("/v1/sessions", signIn)
        routes.delete("/v1/session", signOut)
    }

    func add(to routes: Routes<OwnerContext>) {
        routes.get("/v1/session", .read, session)
        routes.put("/v1/session/confirmation", .report, confirm)
        routes.get("/v1/sessions", .read, sessions)
        routes.delete("/v1/sessions/:session", .manage, revoke)
    }

    @Sendable private func challengeAnyone(_ request: Request, _: RegistryContext) async throws -> Response {
        try await request.refuseContent()
        return try .json(try await operations.challengeForAnyone(), status: .created)
    }

    /// An `Idempotency-Key` has no effect. If the response is lost, the same request gets new secrets.
    @Sendable private func signUp(_ request: Request, _: RegistryContext) async throws -> Response {
        try sameOrigin.check(request.head)
        let draft = try await request.value(SignUp.rule(now: operations.clock.now))
        let (signedUp, secret) = try await operations.signUp(draft)
        await endFormer(request)
        var response = try Response.created(signedUp, at: "/v1/owner")
        response.headers[.setCookie] = SessionCookie.setting(secret)
        return response
    }

    /// Only a browser at the registry's own pages can sign in: otherwise another site could sign its visitors in to an
    /// attacker's account.
    @Sendable private func signIn(_ request: Request, _ context: RegistryContext) async throws -> Response {
        try sameOrigin.check(request.head)
        let proof = try await request.value(SignIn.rule(now: operations.clock.now))
        if proof.recoveryCode != nil { try limiter.admit(.codes, request.head, of: context) }
        do {
            let opened = try await operations.signIn(proof)
            await endFormer(request)
            var session = opened.session
            session.current = true
            var response = try Response.created(session, at: "/v1/session")
            response.headers[.setCookie] = SessionCookie.setting(opened.secret)
            return response
        } catch DomainError.tokenUnusable {
            try limiter.admit(.wrongTokens, request.head, of: context)
            throw DomainError.tokenUnusable
        }
    }

    /// Ends the session whose cookie the new one replaces. It may be another owner's.
    private func endFormer(_ request: Request) async {
        guard let secret = SessionCookie.secret(in: request.headers) else { return }
        await operations.endFormerSession(secret: secret)
    }

    /// The response is always the same, so that a browser can get rid of a session that has ended.
    @Sendable private func signOut(_ request: Request, _: RegistryContext) async throws -> Response {
        if let secret = SessionCookie.secret(in: request.headers) {
            try sameOrigin.check(request.head)
            try await operations.signOut(secret: secret)
        }
        return Response(status: .noContent, headers: [.setCookie: SessionCookie.removing])
    }

    @Sendable private func session(_: Request, _ context: OwnerContext) async throws -> Response {
        let id = try own(context)
        guard var session = try await store.session(id, of: context.owner, at: operations.clock.now) else {
            throw DomainError.notFound("session")
        }
        session.current = true
        return try .json(session)
    }

    @Sendable private func confirm(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let confirmation = try await request.value(SessionConfirmation.rule(now: operations.clock.now))
        let id = try own(context)
        if confirmation.recoveryCode != nil { try limiter.admit(.codes, request.head, of: context.client) }
        var session = try await operations.confirmSession(id, confirmation, by: context.act(request, operations))
        session.current = true
        return try .json(session)
    }

    @Sendable private func sessions(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let page = try await store.sessions(of: context.owner, at: operations.clock.now, try Paging.page(request))
        let items = page.items.map { session in
            var session = session
            session.current = session.id == context.session
            return session
        }
        return try Paging.answer(StoredPage(items: items, next: page.next), to: request)
    }

    @Sendable private func revoke(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let id: TokenID = try context.id("session", of: "session")
        try await operations.revokeSession(id, isOwn: id == context.session, by: context.act(request, operations))
        return Response(status: .noContent)
    }

    /// The session of the request; a request with a token has none.
    private func own(_ context: OwnerContext) throws -> TokenID {
        guard let id = context.session else { throw DomainError.notFound("session") }
        return id
    }
}
