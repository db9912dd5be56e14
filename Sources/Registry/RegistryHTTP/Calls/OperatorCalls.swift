import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The operators' calls for stations and invitations.
struct OperatorCalls {
    let operations: RegistryOperations
    let store: any RegistryStore

    func add(to calls: Calls<OperatorContext>) {
        addInvitations(to: calls)
        addStations(to: calls)
    }

    private func addInvitations(to calls: Calls<OperatorContext>) {
        // An invitation has no path, so there is no `Location`.
        calls.post("/v1/invitations", "Invite a venue to enrol a station")
            .taking(Example.invitationDraft).once.refusing(.invitationAccepted(Example.invitation.id))
            .answering(Example.invitation, "The code, which is shown this once.", status: .created) { request in
                try await operations.invite(request.body, by: request.context.principal, once: request.once)
            }

        calls.get("/v1/invitations", "List the invitations that no station has accepted yet")
            .listing(Example.pendingInvitation, "A page of invitations, without their codes.") { _, page in
                try await store.pendingInvitations(page, at: operations.clock.now)
            }

        calls.delete("/v1/invitations/:invitation", "Cancel an invitation")
            .refusing(.invitationAccepted(Example.invitation.id))
            .done("Its code no longer works.") { request in
                try await store.cancelInvitation(
                    try request.id("invitation"), by: request.context.principal, at: operations.clock.now)
            }

        calls.post("/v1/owner-invitations", "Invite an owner")
            .takingNothing.once.refusing(.invitationAccepted(Example.invitation.id))
            .answering(Example.invitation, "The code, which is shown this once.", status: .created) { request in
                try await operations.inviteOwner(by: request.operator, once: request.once)
            }
    }

    private func addStations(to calls: Calls<OperatorContext>) {
        calls.get("/v1/stations", "List the stations")
            .listing(Example.station, "A page of stations.") { try await operations.stations($1) }

        calls.get("/v1/stations/:station", "Show a station")
            .giving(.ok, json: Example.station, "The station.", headers: [.eTag])
            .responding { try Self.answer(try await operations.station(try $0.id("station"))) }

        calls.get(
            "/v1/stations/:station/coverage", "Show what a station heard on a day",
            "How much it heard says how busy the place is, so only operators and the station itself can read it."
        )
        .with(.day).refusing(request: .invalidDay)
        .answering(Example.coverage, "The day’s quarters of an hour. They are kept for 90 days.") { request in
            let day = try request.http.day(default: operations.clock.now)
            return try await store.coverage(of: try request.id("station"), on: day)
        }

        calls.patch(
            "/v1/stations/:station", "Rename or move a station",
            "A move has a time, at most 30 days ago; visits are judged by the place where the station was then."
        )
        .taking(StationPatch(name: "Café Sprocket, back room")).conditional("station")
        .giving(.ok, json: Example.station, "The station as it is now.", headers: [.eTag])
        .responding { request in
            let id: StationID = try request.id("station")
            let version = try request.version()
            return try Self.answer(
                try await operations.changeStation(
                    id, request.body, version: version, by: request.context.principal))
        }

        // `?quarantineSince=` is the time since which the station's sightings are not trusted.
        calls.delete(
            "/v1/stations/:station", "Revoke a station",
            "Its sightings under quarantine are disputed immediately; `judgement` shows the progress of storing that."
        )
        .quarantining.answering(Example.revokedStation, "Its token no longer works.") { request in
            let id: StationID = try request.id("station")
            let since = try request.http.quarantineSince(at: operations.clock.now)
            return try await operations.revokeStation(id, quarantineSince: since, by: request.context.principal)
        }
    }

    private static func answer(_ found: VersionedStation) throws -> Response {
        try .json(found.station, headers: [.eTag: StateTag.text(of: found.version)])
    }
}
