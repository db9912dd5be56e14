import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var anyone: [Operation] {
        [
            Operation(
                .post, "/v1/owners", "Become an owner",
                "If the registry accepts new owners only by invitation, a code from the operator is needed."
            )
            .taking(OwnerDraft.rule(now:), OwnerDraft(tellsAppearance: true), .optional)
            .giving(
                .created, Example.ownerCreated, "The owner; token and recovery codes are shown only once.", [.location]
            )
            .refusing(DomainError.invitationNeeded, DomainError.codeUnusable),
            Operation(.post, "/v1/recovery", "Get a new token with a recovery code")
                .taking(RecoveryRequest.rule(now:), RecoveryRequest(code: Example.code, name: "New phone"))
                .giving(.created, Example.tokenCreated, "A token of scope `manage`; the code is used up.", [.location])
                .refusing(DomainError.codeUnusable),
            Operation(
                .post, "/v1/finds", "Report a bike that you have found",
                "The bike’s owner gets a message. The response is always the same: it reveals nothing about the bike."
            )
            .taking(
                Find.rule(now:),
                Find(identity: Example.identity, message: "Behind the station, by the bins", contact: "0161 496 0000")
            )
            .giving(.accepted, "Thank you.").refusing(RequestError.crossSite),
            Operation(
                .post, "/v1/station/enrolment", "Enrol a station",
                "Trades an operator’s code, which works once within 24 hours, for a station and its token."
            )
            .taking(EnrolmentRequest.rule(now:), EnrolmentRequest(code: Example.code), unknownFields: .ignored)
            .with(.idempotencyKey).refusing(RequestError.invalidIdempotencyKey)
            .giving(.created, Example.stationEnrolled, "The station with its token, which is shown only once.")
            .refusing(DomainError.codeUnusable),
            Operation(.get, "/v1/keys", "Get the registry’s public keys")
                .giving(.ok, Example.keys, "The keys that sign evidence packs and audit checkpoints, oldest first."),
            Operation(
                .get, AcknowledgementRoutes.path, "Show the page behind an alert’s link", "It changes nothing."
            )
            .givingPage(.ok, "A page with a button.").givingPage(.forbidden, "The link does not work."),
            Operation(
                .post, AcknowledgementRoutes.path, "Acknowledge an alert",
                "The button on the page behind the alert’s link, which needs no token and can do nothing else."
            )
            .givingPage(.ok, "The alert’s sightings are acknowledged.")
            .givingPage(.forbidden, "The link does not work."),
            Operation(.get, "/v1/web-push/key", "Get the key that browsers subscribe with")
                .giving(.ok, Example.webPushKey, "The `applicationServerKey` of the Push API.")
                .refusing(DomainError.notFound("key for Web Push")),
            Operation(.get, "/livez", "Whether the registry runs").giving(.ok, ["status": "live"], "It runs."),
            Operation(.get, "/readyz", "Whether calls can succeed now").giving(.ok, ["status": "ready"], "They can.")
                .refusing(RequestError.notReady(isLate: true)),
            Operation(
                .get, SecurityContact.path, "Get the contact for reporting a vulnerability",
                "In the form of RFC 9116; 404 if the operator has not set a contact."
            )
            .giving(
                Answer(
                    status: .ok, summary: "The contact, and the date until which it is valid.",
                    content: [
                        Content(
                            mediaType: SecurityRoutes.mediaType, type: nil, schema: .type("string"), example: nil)
                    ],
                    headers: []
                )
            )
            .refusing(DomainError.notFound("security contact")),
            Operation(.get, "/openapi.json", "Get this contract")
                .with(.ifNoneMatch)
                .giving(
                    Answer(
                        status: .ok, summary: "The contract as OpenAPI 3.1.",
                        content: [Content(mediaType: MediaType.json, type: nil, schema: .type("object"), example: nil)],
                        headers: [.eTag]
                    )
                )
                .giving(.notModified, "The caller’s copy is current.", [.eTag]),
        ]
    }
}
