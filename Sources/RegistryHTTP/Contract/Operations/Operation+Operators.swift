import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var operators: [Operation] {
        [
            Operation(.post, "/v1/invitations", "Invite a venue to enrol a station")
                .taking({ _ in InvitationDraft.rule }, Example.invitationDraft).once
                .giving(.created, Example.invitation, "The code, which is shown this once.")
                .refusing(DomainError.invitationAccepted(Example.invitation.id)),
            Operation(.get, "/v1/invitations", "List the invitations that no station has accepted yet")
                .listing(Example.pendingInvitation, "A page of invitations, without their codes."),
            Operation(.delete, "/v1/invitations/:invitation", "Take an invitation back")
                .giving(.noContent, "Its code works no longer.")
                .refusing(DomainError.invitationAccepted(Example.invitation.id)),
            Operation(.post, "/v1/owner-invitations", "Invite an owner")
                .takingNothing.once
                .giving(.created, Example.invitation, "The code, which is shown this once.")
                .refusing(DomainError.invitationAccepted(Example.invitation.id)),
            Operation(.get, "/v1/stations", "List the stations").listing(Example.station, "A page of stations."),
            Operation(.get, "/v1/stations/:station", "Show a station")
                .giving(.ok, Example.station, "The station.", [.eTag]),
            Operation(
                .patch, "/v1/stations/:station", "Rename or move a station",
                "A move has a time, at most 30 days ago; visits are judged by where the station stood then."
            )
            .taking(StationPatch.rule(now:), StationPatch(name: "Café Sprocket, back room")).conditional("station")
            .giving(.ok, Example.station, "The station as it is now.", [.eTag]),
            Operation(
                .delete, "/v1/stations/:station", "Revoke a station",
                "What it told under quarantine is disputed at once; `judgement` tells how far that is stored."
            )
            .with(.quarantineSince)
            .giving(.ok, Example.revokedStation, "Its token works no longer.")
            .refusing(RequestError.invalidTime(parameter: "quarantineSince")),
            audit,
            Operation(.get, "/v1/audit/checkpoint", "Get a signed checkpoint of the audit")
                .giving(.ok, Example.checkpoint, "How long the audit is and where it ends.")
                .refusing(DomainError.signingKeyMissing),
            Operation(
                .get, "/v1/audit/checkpoints", "List the checkpoints that the registry made by itself",
                "One for each hour in which the audit grew, and one for each stop."
            )
            .listing(Example.checkpoint, "A page of signed checkpoints, the latest first."),
        ]
    }

    private static var audit: Operation {
        let identifiers = ["owner", "bike", "report", "station"].map {
            Parameter(name: $0, place: .query, summary: "Only entries about it.", schema: .uuid)
        }
        let action = Parameter(
            name: "action", place: .query, summary: "Only entries of this action.",
            schema: .type("string"), example: "report.opened"
        )
        let times = ["since", "until"].map {
            Parameter(name: $0, place: .query, summary: "Only entries from then on, or before.", schema: .dateTime)
        }
        return (identifiers + [action] + times)
            .reduce(Operation(.get, "/v1/audit", "Read the audit")) { $0.with($1) }
            .listing(Example.auditEntry, "A page of entries, oldest first; erased ones without their event.")
            .refusing(RequestError.invalidQuery("bike", form: "an identifier"))
    }

    /// The collections of the original app, if the operator has enabled them.
    static var app: [Operation] {
        [
            Operation(.get, "/bikes", "List missing bikes, for the original app").with(.appKey)
                .giving(.ok, [Example.appBike], "All missing bikes of the app.").refusing(RequestError.wrongAppKey),
            Operation(.post, "/bikes", "Create or update a bike, for the original app").with(.appKey)
                .taking({ _ in AppBikeDraft.rule }, Example.appBikeDraft, unknownFields: .ignored)
                .giving(.ok, Example.appBike, "The bike; `id` alone allows to update it.")
                .refusing(RequestError.wrongAppKey, DomainError.identityTaken, DomainError.notFound("bike")),
            Operation(.post, "/sightings", "Report a sighting, for the original app").with(.appKey)
                .taking({ _ in AppSighting.rule }, Example.appSighting, unknownFields: .ignored)
                .giving(.ok, Example.appSighting, "What was sent; it is marked as unverified.")
                .refusing(RequestError.wrongAppKey, DomainError.notFound("bike")),
        ]
    }
}
