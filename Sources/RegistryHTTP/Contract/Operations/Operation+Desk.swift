import HTTPTypes
import Passkeys
import Registry
import RegistryAPI

extension Operation {
    /// Operators' sessions in browsers, their passkeys, and what they see of the whole registry.
    static var desk: [Operation] { deskSessions + deskPasskeys + overviews }

    private static var deskSessions: [Operation] {
        [
            Operation(
                .post, DeskRoutes.session, "Sign in as an operator with a browser",
                """
                By exactly one of a passkey and the operator’s token. The browser is signed in by a cookie. The session ends \
                \(DeskSessionState.lifetime.components.seconds / 3600) hours after its beginning, or \
                \(DeskSessionState.idle.components.seconds / 60) minutes after its last use; getting the overview, the \
                station map or tiles is no use. Only a page of the registry itself can call this.
                """
            )
            .taking(DeskSignIn.rule(now:), DeskSignIn(name: "Firefox", token: Example.operatorToken))
            .giving(.created, Example.deskSession, "The session.", [.location, .setCookie])
            .refusing(DomainError.tokenUnusable, DomainError.passkeyCopied, RequestError.crossSite).refusingPasskeys,
            Operation(
                .delete, DeskRoutes.session, "Sign out as an operator",
                "Ends the session of the cookie, if there is one, and removes the cookie."
            )
            .giving(.noContent, "No operator is signed in.", [.setCookie]).refusing(RequestError.crossSite),
            Operation(.get, DeskRoutes.session, "Show this operator’s session")
                .giving(.ok, Example.deskSession, "The session of the cookie.")
                .refusing(DomainError.notFound("session")),
            Operation(
                .post, "/v1/desk/session/confirmation", "Confirm this operator’s session",
                """
                By exactly one of a passkey and the operator’s token. For \
                \(DeskSessionState.confirmation.components.seconds / 60) minutes passkeys can be added and removed, and \
                changes are allowed. For other changes than those of passkeys, an operator who has passkeys must give one.
                """
            )
            .taking(DeskConfirmation.rule(now:), DeskConfirmation(token: Example.operatorToken))
            .giving(.ok, Example.deskSession, "The session as it is now.")
            .refusing(DomainError.tokenUnusable, DomainError.passkeyCopied, DomainError.notFound("session"))
            .refusingPasskeys,
            Operation(.get, "/v1/desk/sessions", "List the browsers in which I am signed in as an operator")
                .giving(.ok, Page<DeskSession>(items: [Example.deskSession], next: nil), "All of them, in one page."),
            Operation(.delete, "/v1/desk/sessions/:session", "End an operator’s session")
                .giving(.noContent, "The browser is signed out."),
        ]
    }

    private static var deskPasskeys: [Operation] {
        [
            Operation(
                .post, "/v1/desk/passkeys/challenge", "Get a challenge for an operator’s passkey",
                """
                With the cookie of an operator’s session, to confirm it or to add a passkey; otherwise, to sign in. It is \
                valid once, for \(PasskeyChallenges.lifetime / 60) minutes. With the cookie, the session's limit counts, otherwise the \
                address's.
                """
            )
            .takingNothing
            .giving(.created, Example.challenge, "What the browser’s `navigator.credentials` needs.")
            .refusing(DomainError.signInUnavailable, RequestError.crossSite),
            Operation(
                .post, "/v1/desk/passkeys", "Add an operator’s passkey",
                "At most \(DeskSessionState.mostPasskeys). They end when the operator is revoked."
            )
            .taking(PasskeyDraft.rule(now:), PasskeyDraft(name: "Key", passkey: Example.signUp.passkey))
            .giving(.created, Example.passkey, "The passkey.", [.location])
            .refusing(DomainError.passkeyKnown, DomainError.tooManyPasskeys(DeskSessionState.mostPasskeys))
            .refusingPasskeys,
            Operation(.get, "/v1/desk/passkeys", "List my passkeys as an operator")
                .giving(.ok, Page<Passkey>(items: [Example.passkey], next: nil), "All of them, in one page."),
            Operation(
                .delete, "/v1/desk/passkeys/:passkey", "Remove an operator’s passkey",
                "The sessions that it opened end."
            )
            .giving(.noContent, "It no longer works."),
        ]
    }

    private static var overviews: [Operation] {
        [
            Operation(
                .get, OverviewRoutes.overviewPath, "Show the state of the registry",
                "Stations, alerts, deliveries, the database and what waits for a decision, in one answer."
            )
            .giving(.ok, Example.overview, "The overview."),
            Operation(
                .get, OverviewRoutes.mapPath, "Get all stations for a map",
                """
                Those that are not revoked, at most \(StationMap.most), in the order of their enrolment. A row has the \
                station’s identifier, name, latitude, longitude and state, and the time of its last heartbeat or null. The \
                answer is compressed if the caller accepts gzip, and is up to two seconds old.
                """
            )
            .with(.ifNoneMatch)
            .giving(
                Answer(
                    status: .ok, summary: "The stations.",
                    content: [
                        Content(
                            mediaType: MediaType.json, type: nil, schema: StationMap.schema,
                            example: JSONValue(text: Example.stationMap.json))
                    ],
                    headers: [.eTag])
            )
            .giving(.notModified, "The caller’s copy is current.", [.eTag]),
            Operation(
                .get, "/v1/references", "List the police references to confirm",
                "Those of open reports that nobody has confirmed, in the order in which the reports were opened."
            )
            .listing(Example.reference, "A page of reports with their owners."),
        ]
    }

    private var refusingPasskeys: Operation {
        refusing(DomainError.passkeyRefused(.wrongChallenge), DomainError.signInUnavailable)
    }
}

extension Example {
    static let operatorToken = token("operator")
    static let deskSession = DeskSession(
        id: id(20), name: "Firefox", operator: .init(id: id(21), name: "Ada"), signedIn: .passkey, began: noon,
        lastUsed: noon, ends: noon.advanced(by: DeskSessionState.idle), confirmedUntil: evening, passkeysUntil: evening,
        passkeys: 1, current: true)
    static let stationMap = StationMap(stations: [
        .init(
            id: station.id, name: station.name, latitude: place.latitude, longitude: place.longitude,
            state: .listening, heartbeat: noon)
    ])
    static let reference = ReferenceReview(
        owner: owner.id,
        report: ReportReview(
            id: report.id, beacon: identity, opened: report.opened, policeReference: report.policeReference,
            sightingsUntil: evening))
    static let overview = Overview(
        time: evening,
        stations: .init(listening: 41, deaf: 1, silent: 2, new: 1, revoked: 3, silentAfterSeconds: 900),
        alerts: [.init(kind: .ntfy, waiting: .init(counted: 4, limit: 10_000), oldest: noon)],
        deliveryErrors: [.init(kind: .email, count: 7, last: noon, text: "the mail server asks to wait (451)")],
        missingList: .init(version: 42, bikes: 17, entries: 206, bytes: 1210),
        database: .init(bytes: 81_920_000, logBytes: 4_128_272, freeBytes: 21_474_836_480),
        backup: .init(taken: noon),
        audit: .init(length: 20_117, checkpoint: noon),
        disputed: .init(since: noon, reasons: [.init(reason: .tooFast, sightings: 3)], more: false),
        reviews: .init(
            claims: .init(counted: 1, limit: 1000), owners: .init(counted: 0, limit: 1000),
            references: .init(counted: 2, limit: 1000), messages: .init(counted: 0, limit: 1000)))
}
