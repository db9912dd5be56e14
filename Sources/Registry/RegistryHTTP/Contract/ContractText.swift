import RegistryAPI
import RegistryRules

/// The prose of the contract.
enum ContractText {
    static let info: JSONValue = .object([
        "title": "FindMyBike registry",
        "version": "1.0.0",
        "description": .string(
            """
            Stores bikes, their beacons, missing reports, stations and sightings, and alerts owners.

            Errors are problem details (RFC 9457): `type` is stable, `detail` says what to do, `errors` has a JSON \
            pointer for each refused field. Times are RFC 3339. Unknown fields are refused in requests of owners and \
            operators, and ignored in requests of stations; field names over 64 bytes are always refused. A list \
            has `next` unless it is the last page: send it as `cursor`, or follow `Link`. A known path with another \
            method returns 405 with `Allow`; each GET also works as HEAD. Any request can be refused with 429 and `Retry-After`. Requests that create \
            something accept an `Idempotency-Key`: repeat them only with one.
            """
        ),
        "license": .object(["name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"]),
    ])

    static let tags: JSONValue = .array(
        [
            ("anyone", "Calls without a token."), ("owner", "Calls of an owner of bikes."),
            ("station", "Calls of a station."), ("partner", "Calls of another registry."),
            ("operator", "Calls of the registry’s operator."),
            (share, "Calls of anyone who has a link to a search."),
            (display, "Calls of a screen at a venue."),
        ].map { .object(["name": .string($0.0), "description": .string($0.1)]) }
    )

    static let securitySchemes: JSONValue = .object([
        "owner": scheme(
            "An owner’s token. Its scope is `read`, `report` (opens and closes reports, too) or `manage` (all)."
        ),
        session: .object([
            "type": "apiKey", "in": "cookie", "name": .string(SessionCookie.name),
            "description": .string(
                """
                An owner’s browser, signed in by `POST /v1/sessions` or `POST /v1/sign-up`. Its scope is `report`, and \
                `manage` for some minutes after `PUT /v1/session/confirmation`. A call that changes something must come \
                from the registry’s own pages (`Sec-Fetch-Site: same-origin`, or `Origin`), with `Content-Type: \
                application/json` unless it is a DELETE.
                """
            ),
        ]),
        "station": scheme("A station’s token, from its enrolment."),
        "partner": scheme("Another registry’s token, which both registries exchange when they become partners."),
        "operator": scheme("An operator’s token, made by `findmybike-registry operator create`."),
        display: .object([
            "type": "apiKey", "in": "cookie", "name": .string(DisplayCookie.name),
            "description": .string(
                """
                A screen at a venue, connected by `POST /v1/display/pairing`. As with `\(session)`, an answer must come \
                from the registry’s own pages, with `Content-Type: application/json`.
                """
            ),
        ]),
        desk: .object([
            "type": "apiKey", "in": "cookie", "name": .string(DeskCookie.name),
            "description": .string(
                """
                An operator’s browser, signed in by `POST /v1/desk/session`. Calls that cannot be undone need a passkey, \
                or the token of an operator without passkeys, given within the last \
                \(DeskSessionState.confirmation.components.seconds / 60) minutes. Otherwise it is as `session`.
                """
            ),
        ]),
        share: scheme("The secret of a link to a search: what follows `#` in the link."),
    ])

    /// The name of the scheme of sessions.
    static let session = "session"

    /// The name of the scheme of operators' sessions.
    static let desk = "desk"

    /// The name of the scheme and the tag of shares.
    static let share = "share"

    /// The name of the scheme and the tag of displays.
    static let display = "display"

    private static func scheme(_ text: String) -> JSONValue {
        .object(["type": "http", "scheme": "bearer", "description": .string(text)])
    }
}
