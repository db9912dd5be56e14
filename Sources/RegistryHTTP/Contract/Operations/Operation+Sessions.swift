import HTTPTypes
import Passkeys
import Registry
import RegistryAPI

extension Operation {
    /// Signing up and in with a browser, sessions and passkeys.
    static var sessions: [Operation] {
        [
            Operation(
                .post, "/v1/passkeys/challenge", "Get a challenge for a passkey",
                "To sign up or in. It is valid once, for \(PasskeyChallenges.lifetime / 60) minutes."
            )
            .takingNothing
            .giving(.created, Example.challenge, "What the browser’s `navigator.credentials` needs.")
            .refusing(DomainError.signInUnavailable),
            Operation(
                .post, "/v1/sign-up", "Become an owner in a browser",
                """
                With a new passkey that was made with a challenge for anyone. The browser is signed in by a cookie. If the \
                response is lost, the same request gets new secrets, as long as the challenge is valid and nobody has used \
                the first. Only a page of the registry itself can call this.
                """
            )
            .taking(SignUp.rule(now:), Example.signUp)
            .giving(
                .created, Example.signedUp, "The owner; the recovery codes are shown this once.",
                [.location, .setCookie]
            )
            .refusing(DomainError.invitationNeeded, DomainError.codeUnusable, DomainError.passkeyKnown)
            .refusingPasskey.refusing(RequestError.crossSite),
            Operation(
                .post, "/v1/sessions", "Sign in with a browser",
                """
                By exactly one of a passkey, a recovery code and an owner’s token. The browser is signed in by a \
                cookie for \(SessionState.lifetime.components.seconds / 86_400) days since its last use. If the \
                browser sent the cookie of another session, that one ends. Signing in is told on all channels. Only a \
                page of the registry itself can call this.
                """
            )
            .taking(SignIn.rule(now:), SignIn(name: "Firefox", recoveryCode: Example.code))
            .giving(.created, Example.session, "The session.", [.location, .setCookie])
            .refusing(DomainError.codeUnusable, DomainError.tokenUnusable, DomainError.passkeyCopied)
            .refusing(DomainError.tooManyToday(.tokenUses, retryAfter: .seconds(3600)))
            .refusingPasskey.refusing(RequestError.crossSite),
            Operation(
                .delete, "/v1/session", "Sign out",
                "Ends the session of the cookie, if there is one, and removes the cookie."
            )
            .giving(.noContent, "Nobody is signed in.", [.setCookie]).refusing(RequestError.crossSite),
            Operation(.get, "/v1/session", "Show this session")
                .giving(.ok, Example.session, "The session of the cookie.")
                .refusing(DomainError.notFound("session")),
            Operation(
                .put, "/v1/session/confirmation", "Confirm this session",
                """
                By exactly one of a passkey and a recovery code. For \
                \(SessionState.confirmation.components.seconds / 60) minutes the session has the scope `manage`.
                """
            )
            .taking(SessionConfirmation.rule(now:), SessionConfirmation(recoveryCode: Example.code))
            .giving(.ok, Example.session, "The session as it is now.")
            .refusing(DomainError.codeUnusable, DomainError.passkeyCopied, DomainError.notFound("session"))
            .refusing(DomainError.tooManyToday(.passkeyUses, retryAfter: .seconds(3600)))
            .refusingPasskey,
            Operation(.get, "/v1/sessions", "List my sessions").listing(Example.session, "A page of sessions."),
            Operation(
                .delete, "/v1/sessions/:session", "End a session",
                "Its live streams end within a minute. It is told on all channels."
            )
            .giving(.noContent, "The browser is signed out."),
            Operation(
                .post, "/v1/owner/challenge", "Get a challenge for one of my passkeys",
                "To confirm the session, or to add a passkey."
            )
            .takingNothing
            .giving(.created, Example.challenge, "What the browser’s `navigator.credentials` needs.")
            .refusing(DomainError.signInUnavailable),
            Operation(.post, "/v1/passkeys", "Add a passkey", "It is told on all channels.")
                .taking(PasskeyDraft.rule(now:), PasskeyDraft(name: "Phone", passkey: Example.signUp.passkey))
                .giving(.created, Example.passkey, "The passkey.", [.location])
                .refusing(DomainError.passkeyKnown, DomainError.tooManyPasskeys(NewPasskey.most))
                .refusing(DomainError.tooManyToday(.passkeys, retryAfter: .seconds(3600)))
                .refusingPasskey,
            Operation(.get, "/v1/passkeys", "List my passkeys")
                .giving(.ok, Page<Passkey>(items: [Example.passkey], next: nil), "All of them, in one page."),
            Operation(
                .delete, "/v1/passkeys/:passkey", "Remove a passkey",
                "The sessions that it opened end. It is told on all channels."
            )
            .giving(.noContent, "It no longer works."),
        ]
    }

    private var refusingPasskey: Operation {
        refusing(DomainError.passkeyRefused(.wrongChallenge), DomainError.signInUnavailable)
    }
}

extension Example {
    static let session = Session(
        id: id(13), name: "Firefox", signedIn: .passkey, scope: .manage, created: noon, expires: evening,
        confirmedUntil: evening, current: true
    )
    static let passkey = Passkey(id: id(14), name: "Phone", relyingParty: "registry.example.org", created: noon)
    static let signUp = SignUp(
        name: "Firefox",
        passkey: PasskeyRegistration(
            clientDataJSON: Base64URL("{}".utf8), authenticatorData: Base64URL(Array(repeating: 0, count: 37)),
            publicKey: Base64URL(Array(repeating: 0, count: 91)), publicKeyAlgorithm: -7)
    )
    static let signedUp = SignedUp(owner: owner, session: session, passkey: passkey, recoveryCodes: [code])

    static let challenge = PasskeyChallenge(
        challenge: Base64URL(Array(repeating: 0, count: 57)), relyingParty: passkey.relyingParty,
        user: Base64URL(Array(repeating: 0, count: 16)), algorithms: PasskeyAlgorithm.allCases.map(\.rawValue),
        expiresIn: PasskeyChallenges.lifetime
    )
}
