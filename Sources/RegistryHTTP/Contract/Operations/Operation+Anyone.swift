import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var anyone: [Operation] {
        [
            Operation(
                .post, "/v1/owners", "Become an owner",
                "Where the registry takes new owners by invitation only, the operator’s code is needed."
            )
            .taking({ _ in OwnerDraft.rule }, OwnerDraft(tellsAppearance: true), .optional)
            .giving(
                .created, Example.ownerCreated, "The owner; token and recovery codes are shown this once.", [.location]
            )
            .refusing(DomainError.invitationNeeded, DomainError.codeUnusable),
            Operation(.post, "/v1/recovery", "Get a new token for a recovery code")
                .taking({ _ in RecoveryRequest.rule }, RecoveryRequest(code: Example.code, name: "New phone"))
                .giving(.created, Example.tokenCreated, "A token of scope `manage`; the code is used up.", [.location])
                .refusing(DomainError.codeUnusable),
            Operation(
                .post, "/v1/finds", "Tell of a bike that you have found",
                "Whoever holds the bike is told. The answer is always the same: it tells nothing about the bike."
            )
            .taking(
                { _ in Find.rule },
                Find(identity: Example.identity, message: "Behind the station, by the bins", contact: "0161 496 0000")
            )
            .giving(.accepted, "Thank you."),
            Operation(
                .post, "/v1/station/enrolment", "Enrol a station",
                "Trades an operator’s code, which works once within 24 hours, for a station and its token."
            )
            .taking({ _ in EnrolmentRequest.rule }, EnrolmentRequest(code: Example.code), unknownFields: .ignored)
            .with(.idempotencyKey).refusing(RequestError.invalidIdempotencyKey)
            .giving(.created, Example.stationEnrolled, "The station with its token, which is shown this once.")
            .refusing(DomainError.codeUnusable),
            Operation(.get, "/v1/keys", "Get the registry’s public keys")
                .giving(.ok, Example.keys, "What evidence packs and audit checkpoints are signed with, oldest first."),
            Operation(
                .get, AcknowledgementRoutes.path, "Look at the page behind an alert’s link", "It changes nothing."
            )
            .givingPage(.ok, "A page with a button.").givingPage(.forbidden, "The link does not work."),
            Operation(
                .post, AcknowledgementRoutes.path, "Say that you have read an alert",
                "The button of the page behind the alert’s link, which needs no token and can do nothing else."
            )
            .givingPage(.ok, "The alert’s sightings are acknowledged.")
            .givingPage(.forbidden, "The link does not work."),
            Operation(.get, "/v1/web-push/key", "Get the key that browsers subscribe with")
                .giving(.ok, Example.webPushKey, "The `applicationServerKey` of the Push API.")
                .refusing(DomainError.notFound("key for Web Push")),
            Operation(.get, "/livez", "Whether the registry runs").giving(.ok, ["status": "live"], "It runs."),
            Operation(.get, "/readyz", "Whether calls can succeed now").giving(.ok, ["status": "ready"], "They can."),
            Operation(
                .get, SecurityContact.path, "Find out whom to tell of a weakness",
                "As RFC 9116 says; nothing where the operator has set no contact."
            )
            .giving(
                Answer(
                    status: .ok, summary: "Whom to tell, and until when this holds.",
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
                .giving(.notModified, "The caller’s contract is current.", [.eTag]),
        ]
    }
}
