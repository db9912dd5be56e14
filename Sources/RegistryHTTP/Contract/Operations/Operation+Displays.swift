import Beacons
import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    /// Screens at venues: as the operator or the station makes them, and as they are used.
    static var displays: [Operation] {
        making("/v1/stations/:station/displays") + making("/v1/station/displays") + [
            Operation(
                .post, "/v1/display/pairing", "Connect a screen to a station",
                """
                With a code, which is used up. The screen is connected by a cookie for \
                \(DisplayRules.lifetime.components.seconds / 86_400) days since its last use. If the screen was another \
                display, that one ends. With an `Idempotency-Key` the attempt can be repeated if its response is lost. \
                Only a page of the registry itself can call this.
                """
            )
            .taking(DisplayPairing.rule(now:), DisplayPairing(code: "7KQ2M-XW9TC"))
            .giving(.created, Example.displayView, "What the display shows now.", [.setCookie])
            .refusing(
                DomainError.codeUnusable, RequestError.invalidIdempotencyKey, RequestError.crossSite),
            Operation(
                .get, "/v1/display", "Show which missing bikes are here",
                """
                Those that the display’s station heard in the last \
                \(DisplayRules.presence.components.seconds / 60) minutes, whose visits continue, and whose owners agreed \
                to show staff what to look for. Ask again every 15 seconds.
                """
            )
            .giving(.ok, Example.displayView, "What the display shows now.", [.setCookie]),
            Operation(
                .post, "/v1/display/visits/:visit/answer", "Answer whether a bike is here",
                """
                It reaches the owner like an answer that the station reports; the latest one applies. Staff can answer \
                until \(DisplayRules.answerable.components.seconds / 3600) hours after the bike was last heard.
                """
            )
            .taking(DisplayAnswer.rule(now:), DisplayAnswer(answer: .seen))
            .giving(.noContent, "It is recorded, or was the last answer already."),
        ]
    }

    private static func making(_ path: String) -> [Operation] {
        [
            Operation(
                .post, path, "Make a code for a display",
                """
                One screen becomes a display of the station with it, within \
                \(DisplayRules.codeLifetime.components.seconds / 60) minutes. It replaces an earlier code that nobody \
                has used. A station has up to \(DisplayRules.most) displays. An `Idempotency-Key` has no effect.
                """
            )
            .taking(DisplayDraft.rule(now:), DisplayDraft(name: "Counter"), .optional)
            .giving(.created, Example.displayCode, "The code, which is shown this once.")
            .refusing(DomainError.displaysFull, DomainError.notFound("station")),
            Operation(.get, path, "List a station’s displays")
                .giving(.ok, Page<VenueDisplay>(items: [Example.display]), "All of them, in one page.")
                .refusing(DomainError.notFound("station")),
            Operation(
                .delete, path + "/:display", "Revoke a display", "Its screen shows within a minute that it has ended."
            )
            .giving(.noContent, "It shows nothing any more."),
        ]
    }
}

extension Example {
    static let display = VenueDisplay(
        id: id(20), name: "Counter", created: noon, paired: noon, lastUsed: evening,
        expires: evening.advanced(by: DisplayRules.lifetime))
    static let displayCode = DisplayCode(
        display: display.id, code: "7KQ2M-XW9TC", expires: noon.advanced(by: DisplayRules.codeLifetime),
        link: "https://registry.example.org/display#7KQ2M-XW9TC")
    static let displayView = DisplayView(
        station: station.name, time: evening, health: StationHealth(state: .listening, contact: evening),
        contact: "Police: 020 7946 0000",
        bikes: [
            DisplayedBike(
                visit: visit.id, since: noon, lastHeard: evening, proximity: .near,
                lookFor: BikeAppearance(kind: bike.kind, make: bike.make, model: bike.model, colours: bike.colours),
                answer: VisitConfirmation(answer: .seen, time: evening))
        ])
}
