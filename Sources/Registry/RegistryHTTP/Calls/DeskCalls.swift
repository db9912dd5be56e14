import HTTPTypes
import Hummingbird
import Operations
import Passkeys
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls for operators' sessions in browsers, and for their passkeys.
struct DeskCalls {
    let operations: RegistryOperations
    let store: any RegistryStore
    let sameOrigin: SameOriginCheck
    let limiter: RateLimiter

    private static let session = "/v1/desk/session"

    func add(to calls: Calls<RegistryContext>) {
        // Only a browser at the registry's own pages can sign in, as with owners.
        calls.post(
            Self.session, "Sign in as an operator with a browser",
            """
            By exactly one of a passkey and the operator’s token. The browser is signed in by a cookie. The session ends \
            \(DeskSessionState.lifetime.components.seconds / 3600) hours after its beginning, or \
            \(DeskSessionState.idle.components.seconds / 60) minutes after its last use; getting the overview, the \
            station map or tiles is no use. Only a page of the registry itself can call this.
            """
        )
        .limited(.signIns).fromOwnPages(sameOrigin)
        .taking(DeskSignIn(name: "Firefox", token: Example.operatorToken))
        .refusing(.tokenUnusable, .passkeyCopied).refusingPasskeys
        .giving(.created, json: Example.deskSession, "The session.", headers: [.location, .setCookie])
        .responding { request in
            let opened = try await countingWrongTokens(request.http, request.context) {
                try await operations.openDesk(request.body)
            }
            if let former = DeskCookie.secret(in: request.http.headers) {
                await operations.closeFormerDesk(secret: former)
            }
            var session = opened.session
            session.current = true
            var response = try Response.created(session, at: Self.session)
            response.headers[.setCookie] = DeskCookie.setting(opened.secret)
            return response
        }

        // The response is always the same, so that a browser can drop a session that has ended.
        calls.delete(
            Self.session, "Sign out as an operator",
            "Ends the session of the cookie, if there is one, and removes the cookie."
        )
        .refusing(request: .crossSite)
        .giving(.noContent, "No operator is signed in.", headers: [.setCookie])
        .responding { request in
            if let secret = DeskCookie.secret(in: request.http.headers) {
                try sameOrigin.check(request.http.head)
                try await operations.closeDesk(secret: secret)
            }
            return Response(status: .noContent, headers: [.setCookie: DeskCookie.removing])
        }
    }

    /// - Parameter calls: the calls behind ``DeskVisitorMiddleware``.
    func addChallenge(to calls: Calls<RegistryContext>) {
        calls.post(
            "/v1/desk/passkeys/challenge", "Get a challenge for an operator’s passkey",
            """
            With the cookie of an operator’s session, to confirm it or to add a passkey; otherwise, to sign in. It is \
            valid once, for \(PasskeyChallenges.lifetime / 60) minutes. With the cookie, the session's limit counts, otherwise the \
            address's.
            """
        )
        .takingNothing.refusing(.signInUnavailable).refusing(request: .crossSite)
        .answering(
            Example.challenge, "What the browser’s `navigator.credentials` needs.", status: .created
        ) { request in
            guard case .operator(let id) = request.context.principal else {
                return try await operations.challengeForAnyone()
            }
            return try await operations.challenge(for: id)
        }
    }

    func add(to calls: Calls<OperatorContext>) {
        addSessions(to: calls)
        addPasskeys(to: calls)
    }

    private func addSessions(to calls: Calls<OperatorContext>) {
        calls.get(Self.session, "Show this operator’s session")
            .refusing(.notFound("session"))
            .answering(Example.deskSession, "The session of the cookie.") { request in
                try await operations.deskSession(try ownSession(request.context), of: request.operator)
            }

        calls.post(
            Self.session + "/confirmation", "Confirm this operator’s session",
            """
            By exactly one of a passkey and the operator’s token. For \
            \(DeskSessionState.confirmation.components.seconds / 60) minutes passkeys can be added and removed, and \
            changes are allowed. For other changes than those of passkeys, an operator who has passkeys must give one.
            """
        )
        .proved(.session)
        .taking(DeskConfirmation(token: Example.operatorToken))
        .refusing(.tokenUnusable, .passkeyCopied, .notFound("session")).refusingPasskeys
        .answering(Example.deskSession, "The session as it is now.") { request in
            let id = try ownSession(request.context)
            return try await countingWrongTokens(request.http, request.context.client) {
                try await operations.confirmDesk(id, of: request.operator, request.body)
            }
        }

        // All sessions on one page, since there are few.
        calls.get("/v1/desk/sessions", "List the browsers in which I am signed in as an operator")
            .answering(
                Page<DeskSession>(items: [Example.deskSession], next: nil), "All of them, in one page."
            ) { request in
                Page(
                    items: try await operations.deskSessions(
                        of: request.operator, current: request.context.session))
            }

        calls.delete("/v1/desk/sessions/:session", "End an operator’s session")
            .proved(.session)
            .done("The browser is signed out.") { request in
                try await operations.endDesk(try request.id("session"), of: request.operator)
            }
    }

    private func addPasskeys(to calls: Calls<OperatorContext>) {
        // Not repeatable, since its challenge is used up. A passkey whose response was lost is in the list.
        calls.post(
            "/v1/desk/passkeys", "Add an operator’s passkey",
            "At most \(DeskSessionState.mostPasskeys). They end when the operator is revoked."
        )
        .proved(.either)
        .taking(PasskeyDraft(name: "Key", passkey: Example.signUp.passkey))
        .refusing(.passkeyKnown, .tooManyPasskeys(DeskSessionState.mostPasskeys)).refusingPasskeys
        .creating(Example.passkey, "The passkey.", id: \.id) { request in
            try await operations.addDeskPasskey(request.body, of: request.operator)
        }

        calls.get("/v1/desk/passkeys", "List my passkeys as an operator")
            .answering(Page<Passkey>(items: [Example.passkey], next: nil), "All of them, in one page.") { request in
                Page(items: try await store.deskPasskeys(of: request.operator).map(\.details))
            }

        calls.delete(
            "/v1/desk/passkeys/:passkey", "Remove an operator’s passkey", "The sessions that it opened end."
        )
        .proved(.either)
        .done("It no longer works.") { request in
            try await operations.removeDeskPasskey(try request.id("passkey"), of: request.operator)
        }
    }

    /// The session of the request.
    ///
    /// - Throws: `notFound` for a request with a token, which has none.
    private func ownSession(_ context: OperatorContext) throws -> DeskSessionID {
        guard let id = context.session else { throw DomainError.notFound("session") }
        return id
    }

    /// Makes a call that takes an operator's token, and counts the address of one that sends a wrong token.
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
