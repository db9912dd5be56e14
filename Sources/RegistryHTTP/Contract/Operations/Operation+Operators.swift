import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var operators: [Operation] {
        [
            Operation(.post, "/v1/invitations", "Invite a venue to enrol a station")
                .taking({ _ in InvitationDraft.rule }, InvitationDraft(name: "Café Sprocket", place: Example.place))
                .once
                .giving(.created, Example.invitation, "The code, which is shown this once.")
                .refusing(.domain(.invitationAccepted(Example.invitation.id))),
            Operation(.get, "/v1/stations", "List the stations").listing(Example.station, "A page of stations."),
        ]
    }
}
