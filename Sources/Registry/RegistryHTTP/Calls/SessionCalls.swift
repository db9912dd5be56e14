import HTTPTypes
import Hummingbird
import Operations
import Passkeys
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls for signing up and in with a browser, and for the sessions and passkeys that result.
struct SessionCalls {
    let operations: RegistryOperations
    let store: any RegistryStore
    let sameOrigin: SameOriginCheck
    let limiter: RateLimiter

    /// The limit of a body with a passkey in bytes: the longest one, with each character escaped.
    static let passkeyLimit = 48 << 10

    func add(to calls: Calls<RegistryContext>) {
        calls.post(
            "/v1/passkeys/challenge", "Get a challenge for a passkey",
            "To sign up or in. It is valid once, for \(PasskeyChallenges.lifetime / 60) minutes."
        )
        .takingNothing.refusing(.signInUnavailable)
        .answering(
            Example.challenge, "What the browser’s `navigator.credentials` needs.", status: .created
        ) { _ in try await operations.challengeForAnyone() }

        // An Idempotency-Key has no effect. If the response is lost, the same request gets new secrets.
        calls.post(
            "/v1/sign-up", "Become an owner in a browser",
            """
            With a new passkey that was made with a challenge for anyone. The browser is signed in by a cookie. If the \
            response is lost, the same request gets new secrets, as long as the challenge is valid and nobody has used \
            the first. Only a page of the registry itself can call this.
            """
        )
        .limited(.owners).fromOwnPages(sameOrigin)
        .taking(Example.signUp, upTo: Self.passkeyLimit)
        .refusing(.invitationNeeded, .codeUnusable, .passkeyKnown).refusingPasskeys
        .giving(
            .created, json: Example.signedUp, "The owner; the recovery codes are shown this once.",
            headers: [.location, .setCookie]
        )
        .responding { request in
            let (signedUp, secret) = try await operations.signUp(request.body)
            await endFormerSession(request.http)
            var response = try Response.created(signedUp, at: "/v1/owner")
            response.headers[.setCookie] = SessionCookie.setting(secret)
            return response
        }

        calls.post(
            "/v1/sessions", "Sign in with a browser",
            """
            By exactly one of a passkey, a recovery code and an owner’s token. The browser is signed in by a \
            cookie for \(SessionState.lifetime.wholeDays) days since its last use. If the \
            browser sent the cookie of another session, that one ends. All channels are notified of the sign-in. Only \
            a page of the registry itself can call this.
            """
        )
        .limited(.signIns).fromOwnPages(sameOrigin)
        .taking(SignIn(name: "Firefox", recoveryCode: Example.code), upTo: Self.passkeyLimit)
        .refusing(.codeUnusable, .tokenUnusable, .passkeyCopied).daily(.tokenUses).refusingPasskeys
        .giving(.created, json: Example.session, "The session.", headers: [.location, .setCookie])
        .responding { request in
            let (proof, head, context) = (request.body, request.http.head, request.context)
            if proof.recoveryCode != nil { try limiter.admit(.codes, head, of: context) }
            do {
                let opened = try await operations.signIn(proof)
                await endFormerSession(request.http)
                var session = opened.session
                session.current = true
                var response = try Response.created(session, at: "/v1/session")
                response.headers[.setCookie] = SessionCookie.setting(opened.secret)
                return response
            } catch DomainError.tokenUnusable {
                try limiter.admit(.wrongTokens, head, of: context)
                throw DomainError.tokenUnusable
            }
        }

        // The response is always the same, so that a browser can drop a session that has ended.
        calls.delete(
            "/v1/session", "Sign out", "Ends the session of the cookie, if there is one, and removes the cookie."
        )
        .refusing(request: .crossSite)
        .giving(.noContent, "Nobody is signed in.", headers: [.setCookie])
        .responding { request in
            if let secret = SessionCookie.secret(in: request.http.headers) {
                try sameOrigin.check(request.http.head)
                try await operations.signOut(secret: secret)
            }
            return Response(status: .noContent, headers: [.setCookie: SessionCookie.removing])
        }
    }

    /// Ends the session whose cookie the new one replaces. It may be another owner's.
    private func endFormerSession(_ request: Request) async {
        guard let secret = SessionCookie.secret(in: request.headers) else { return }
        await operations.endFormerSession(secret: secret)
    }

    func add(to calls: Calls<OwnerContext>) {
        addSessions(to: calls)
        addPasskeys(to: calls)
    }

    private func addSessions(to calls: Calls<OwnerContext>) {
        calls.get("/v1/session", .read, "Show this session")
            .refusing(.notFound("session"))
            .answering(Example.session, "The session of the cookie.") { request in
                let id = try ownSession(request.context)
                guard var session = try await store.session(id, of: request.owner, at: operations.clock.now) else {
                    throw DomainError.notFound("session")
                }
                session.current = true
                return session
            }

        calls.put(
            "/v1/session/confirmation", .report, "Confirm this session",
            """
            By exactly one of a passkey and a recovery code. For \
            \(SessionState.confirmation.components.seconds / 60) minutes the session has the scope `manage`.
            """
        )
        .taking(SessionConfirmation(recoveryCode: Example.code), upTo: Self.passkeyLimit)
        .refusing(.codeUnusable, .passkeyCopied, .notFound("session")).daily(.passkeyUses).refusingPasskeys
        .answering(Example.session, "The session as it is now.") { request in
            let (id, confirmation, client) = (try ownSession(request.context), request.body, request.context.client)
            if confirmation.recoveryCode != nil { try limiter.admit(.codes, request.http.head, of: client) }
            var session = try await operations.confirmSession(id, confirmation, by: request.act(operations))
            session.current = true
            return session
        }

        calls.get("/v1/sessions", .read, "List my sessions")
            .listing(Example.session, "A page of sessions.") { request, page in
                let page = try await store.sessions(of: request.owner, at: operations.clock.now, page)
                let items = page.items.map { session in
                    var session = session
                    session.current = session.id == request.context.session
                    return session
                }
                return StoredPage(items: items, next: page.next)
            }

        calls.delete(
            "/v1/sessions/:session", .manage, "End a session",
            "Its live streams end within a minute. The owner is notified on all channels."
        )
        .done("The browser is signed out.") { request in
            let id: TokenID = try request.id("session")
            try await operations.store.revokeSession(
                id, isOwn: id == request.context.session, by: request.act(operations))
        }
    }

    /// The session of the request.
    ///
    /// - Throws: `notFound` for a request with a token, which has none.
    private func ownSession(_ context: OwnerContext) throws -> TokenID {
        guard let id = context.session else { throw DomainError.notFound("session") }
        return id
    }

    private func addPasskeys(to calls: Calls<OwnerContext>) {
        calls.post(
            "/v1/owner/challenge", .report, "Get a challenge for one of my passkeys",
            "To confirm the session, or to add a passkey."
        )
        .takingNothing.refusing(.signInUnavailable)
        .answering(
            Example.challenge, "What the browser’s `navigator.credentials` needs.", status: .created
        ) { try await operations.challenge(for: $0.owner) }

        // Not repeatable, since its challenge is used up. A passkey whose response was lost is in the list.
        calls.post("/v1/passkeys", .manage, "Add a passkey", "The owner is notified on all channels.")
            .taking(PasskeyDraft(name: "Phone", passkey: Example.signUp.passkey), upTo: Self.passkeyLimit)
            .refusing(.passkeyKnown, .tooManyPasskeys(NewPasskey.most)).daily(.passkeys).refusingPasskeys
            .creating(Example.passkey, "The passkey.", id: \.id) { request in
                try await operations.addPasskey(request.body, by: request.act(operations))
            }

        calls.get("/v1/passkeys", .read, "List my passkeys")
            .answering(Page<Passkey>(items: [Example.passkey], next: nil), "All of them, in one page.") { request in
                Page(items: try await store.passkeys(of: request.owner).map(\.details))
            }

        calls.delete(
            "/v1/passkeys/:passkey", .manage, "Remove a passkey",
            "The sessions that it opened end. The owner is notified on all channels."
        )
        .done("It no longer works.") { request in
            try await operations.store.removePasskey(try request.id("passkey"), by: request.act(operations))
        }
    }
}

extension CallDeclaration {
    /// Refuses answers of passkeys that are not accepted.
    var refusingPasskeys: CallDeclaration { refusing(.passkeyRefused(.wrongChallenge), .signInUnavailable) }
}
