import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var anyone: [Operation] {
        [
            Operation(.post, "/v1/owners", "Become an owner", "Takes no body. The token is shown this once.")
                .giving(.created, Example.ownerCreated, "The owner with its first token.", [.location])
                .refusing(.domain(.invalidFields([FieldError(pointer: "/x", detail: "is not a known field")])))
                .refusing(.request(.bodyTooLarge(limit: 1 << 20)), .request(.tooSlow)),
            Operation(
                .post, "/v1/station/enrolment", "Enrol a station",
                "Trades an operator’s code, which works once within 24 hours, for a station and its token."
            )
            .taking(
                { _ in EnrolmentRequest.rule }, EnrolmentRequest(code: Example.code), unknownFields: .ignored
            )
            .with(.idempotencyKey).refusing(.request(.invalidIdempotencyKey))
            .giving(.created, Example.stationEnrolled, "The station with its token, which is shown this once.")
            .refusing(.domain(.codeUnusable)),
            Operation(.get, "/v1/keys", "Get the registry’s public keys")
                .giving(.ok, Example.keys, "What evidence packs and audit checkpoints are signed with, oldest first."),
            Operation(.get, "/livez", "Whether the registry runs")
                .giving(.ok, ["status": "live"], "It runs."),
            Operation(.get, "/readyz", "Whether calls can succeed now")
                .giving(.ok, ["status": "ready"], "They can."),
            Operation(.get, "/openapi.json", "This contract")
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
