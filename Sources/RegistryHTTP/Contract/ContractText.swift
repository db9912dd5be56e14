import RegistryAPI

/// The prose of the contract.
enum ContractText {
    static let info: JSONValue = .object([
        "title": "FindMyBike registry",
        "version": "1.0.0",
        "description": .string(
            """
            Stores bikes, their beacons, missing reports, stations and sightings, and alerts owners.

            Errors are problem details (RFC 9457): `type` is stable, `detail` says what to do, `errors` has a JSON \
            pointer for each refused field. Times are RFC 3339. Fields that are not described are refused on calls of \
            owners and operators and ignored on calls of stations; a name of over 64 bytes is refused everywhere. Lists are followed by `next`, or by `Link`. A known \
            path with another method is 405 with `Allow`; each GET can also be a HEAD. Any call can be refused by 429 \
            with `Retry-After`. Calls that create take an `Idempotency-Key`: repeat them only with one.
            """
        ),
        "license": .object(["name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"]),
    ])

    static let tags: JSONValue = .array(
        [
            ("anyone", "Calls that need no token."), ("owner", "Calls of an owner of bikes."),
            ("station", "Calls of a station."), ("operator", "Calls of the registry’s operator."),
        ].map { .object(["name": .string($0.0), "description": .string($0.1)]) }
    )

    static let securitySchemes: JSONValue = .object([
        "owner": scheme(
            "An owner’s token. Its scope is `read`, `report` (opens and closes reports, too) or `manage` (all)."
        ),
        "station": scheme("A station’s token, got by enrolment."),
        "operator": scheme("An operator’s token, made by `findmybike-registry operator create`."),
    ])

    private static func scheme(_ text: String) -> JSONValue {
        .object(["type": "http", "scheme": "bearer", "description": .string(text)])
    }
}
