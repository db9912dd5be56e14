import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var operators: [Operation] {
        [
            Operation(.post, "/v1/invitations", "Invite a venue to enrol a station")
                .taking(InvitationDraft.rule(now:), Example.invitationDraft).once
                .giving(.created, Example.invitation, "The code, which is shown this once.")
                .refusing(DomainError.invitationAccepted(Example.invitation.id)),
            Operation(.get, "/v1/invitations", "List the invitations that no station has accepted yet")
                .listing(Example.pendingInvitation, "A page of invitations, without their codes."),
            Operation(.delete, "/v1/invitations/:invitation", "Cancel an invitation")
                .giving(.noContent, "Its code no longer works.")
                .refusing(DomainError.invitationAccepted(Example.invitation.id)),
            Operation(.post, "/v1/owner-invitations", "Invite an owner")
                .takingNothing.once
                .giving(.created, Example.invitation, "The code, which is shown this once.")
                .refusing(DomainError.invitationAccepted(Example.invitation.id)),
            Operation(.get, "/v1/stations", "List the stations").listing(Example.station, "A page of stations."),
            Operation(.get, "/v1/stations/:station", "Show a station")
                .giving(.ok, Example.station, "The station.", [.eTag]),
            Operation(
                .get, "/v1/stations/:station/coverage", "Show what a station heard on a day",
                "How much it heard says how busy the place is, so only operators and the station itself can read it."
            )
            .with(.day)
            .giving(.ok, Example.coverage, "The day’s quarters of an hour. They are kept for 90 days.")
            .refusing(RequestError.invalidDay),
            Operation(
                .patch, "/v1/stations/:station", "Rename or move a station",
                "A move has a time, at most 30 days ago; visits are judged by the place where the station was then."
            )
            .taking(StationPatch.rule(now:), StationPatch(name: "Café Sprocket, back room")).conditional("station")
            .giving(.ok, Example.station, "The station as it is now.", [.eTag]),
            Operation(
                .delete, "/v1/stations/:station", "Revoke a station",
                "Its sightings under quarantine are disputed at once; `judgement` shows the progress of storing that."
            )
            .with(.quarantineSince)
            .giving(.ok, Example.revokedStation, "Its token no longer works.")
            .refusing(RequestError.invalidTime(parameter: "quarantineSince")),
            audit,
            Operation(.get, "/v1/audit/checkpoint", "Get a signed checkpoint of the audit")
                .giving(.ok, Example.checkpoint, "The length of the audit and its last hash, signed.")
                .refusing(DomainError.signingKeyMissing),
            Operation(
                .get, "/v1/audit/checkpoints", "List the registry’s own checkpoints",
                "One for each hour in which the audit grew, and one for each shutdown."
            )
            .listing(Example.checkpoint, "A page of signed checkpoints, the latest first."),
        ]
    }

    private static var audit: Operation {
        let identifiers = ["owner", "bike", "report", "station"].map {
            Parameter(name: $0, place: .query, summary: "Only entries about this resource.", schema: .uuid)
        }
        let action = Parameter(
            name: "action", place: .query, summary: "Only entries with this action.",
            schema: .type("string"), example: "report.opened"
        )
        let times = ["since", "until"].map {
            Parameter(name: $0, place: .query, summary: "Only entries since or before this time.", schema: .dateTime)
        }
        let order = Parameter(
            name: "order", place: .query, summary: "Which entries come first; by default the oldest.",
            schema: .choice(AuditOrder.allCases.map(\.rawValue)), example: "newest"
        )
        return (identifiers + [action] + times + [order])
            .reduce(Operation(.get, "/v1/audit", "Read the audit")) { $0.with($1) }
            .listing(Example.auditEntry, "A page of entries; erased ones have no event.")
            .refusing(RequestError.invalidQuery("bike", form: "an identifier"))
    }

    /// The collections of the original app, if the operator has enabled them.
    static var app: [Operation] {
        [
            Operation(.get, "/bikes", "List missing bikes, for the original app").with(.appKey)
                .giving(.ok, [Example.appBike], "All missing bikes of the app.").refusing(RequestError.wrongAppKey),
            Operation(.post, "/bikes", "Create or update a bike, for the original app").with(.appKey)
                .taking(AppBikeDraft.rule(now:), Example.appBikeDraft, unknownFields: .ignored)
                .giving(.ok, Example.appBike, "The bike; its `id` is needed to update it.")
                .refusing(RequestError.wrongAppKey, DomainError.identityTaken, DomainError.notFound("bike")),
            Operation(.post, "/sightings", "Report a sighting, for the original app").with(.appKey)
                .taking(AppSighting.rule(now:), Example.appSighting, unknownFields: .ignored)
                .giving(.ok, Example.appSighting, "The sighting as it was sent; it is marked as unverified.")
                .refusing(RequestError.wrongAppKey, DomainError.notFound("bike")),
        ]
    }
}
