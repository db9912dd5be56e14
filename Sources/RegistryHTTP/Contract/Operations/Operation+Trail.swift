import Evidence
import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var trail: [Operation] {
        [
            Operation(
                .get, "/v1/bikes/:bike/reports/:report/sightings", "Get a report’s sightings",
                """
                As pages of JSON; with `Accept` also as GeoJSON, GPX or CSV with up to 10,000 at once, or live as \
                server-sent events, which continue after `Last-Event-ID`.
                """
            )
            .with(.cursor).with(.limit).with(.lastEventID)
            .giving(trailAnswer)
            .refusing(RequestError.invalidCursor, RequestError.notAcceptable(offered: [MediaType.json]))
            .refusing(DomainError.tooManyStreams(5), DomainError.overloaded),
            Operation(
                .post, "/v1/bikes/:bike/reports/:report/sightings/:sighting/dismissal", "Dismiss a sighting",
                "It stays in the trail, marked. While the report is open, all channels get a message, at most one an hour."
            )
            .takingNothing
            .giving(.ok, Example.sighting, "The dismissed sighting.").needing(.report),
            Operation(
                .post, "/v1/bikes/:bike/reports/:report/sightings/:sighting/acknowledgement",
                "Acknowledge a sighting",
                """
                Channels that wait for an acknowledgement get no alert about this sighting, those combined with it, or \
                earlier ones, if another channel of the caller got one. Newer sightings go to all channels. Nobody silences \
                the channels of the bike’s other members.
                """
            )
            .takingNothing
            .giving(.ok, Example.sighting, "The acknowledged sighting.").needing(.report),
            Operation(
                .get, "/v1/bikes/:bike/reports/:report/evidence", "Get the evidence pack",
                """
                One signed archive for the police, with its limits in plain words. An owner gets one such archive, or \
                trail as a file, at a time. If many are read, the connection of the slowest reader ends.
                """
            )
            .giving(
                Answer(
                    status: .ok, summary: "The archive.",
                    content: [Content(mediaType: EvidencePack.mediaType, type: nil, schema: .binary, example: nil)],
                    headers: []
                )
            )
            .refusing(DomainError.signingKeyMissing, DomainError.overloaded).needing(.report),
        ]
    }

    private static var trailAnswer: Answer {
        let page = Page(items: [Example.sighting])
        let files: [Content] = [MediaType.geoJSON, MediaType.gpx, MediaType.csv].map { form in
            let schema: JSONSchema = form == MediaType.geoJSON ? .type("object") : .type("string")
            return Content(mediaType: form, type: nil, schema: schema, example: nil)
        }
        let json = Content(
            mediaType: MediaType.json, type: Page<Sighting>.self, schema: JSONSchema(), example: JSONBody.value(page)
        )
        return Answer(
            status: .ok, summary: "The sightings, in the order in which they were stored; in files, by time.",
            content: [json] + files + [.events(of: Example.sighting)], headers: [.link]
        )
    }
}
