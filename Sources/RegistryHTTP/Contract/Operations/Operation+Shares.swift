import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    /// Links to a search: as owners make them, and as anyone who has one uses it.
    static var shares: [Operation] {
        let path = "/v1/bikes/:bike/shares"
        return [
            Operation(
                .post, path, "Make a link to the bike’s search",
                """
                Anyone who has it can follow the open search at `link`, and only that, until it ends. A bike has up to \
                \(ShareRules.most). It ends with the token or the session that made it. It is told on all channels.
                """
            )
            .taking(ShareDraft.rule(now:), ShareDraft(label: "Police")).once
            .giving(.created, Example.shareCreated, "The link, which is shown this once.", [.location])
            .refusing(
                DomainError.bikeNotMissing, DomainError.sharesFull, DomainError.ownerSuspended,
                DomainError.tooManyToday(.shares, retryAfter: .seconds(3600)),
                DomainError.shareInUse(Example.share.id), DomainError.linksUnavailable),
            Operation(
                .get, path, "List the links to a bike’s searches",
                "Those that work or ended in the last \(ShareRules.kept.components.seconds / 86_400) days."
            )
            .listing(Example.share, "A page of links, without their secrets."),
            Operation(
                .delete, path + "/:share", "Revoke a link",
                "Its live streams end within a minute. It is told on all channels."
            )
            .giving(.noContent, "It no longer works."),
            Operation(
                .get, "/v1/share", "Open a shared search",
                "Counts as a view. Once the search is over, it says how it ended."
            )
            .giving(.ok, Example.sharedSearch, "What anyone who has the link may know.")
            .refusing(DomainError.shareEnded),
            Operation(
                .get, "/v1/share/sightings", "Get the sightings of a shared search",
                """
                As pages of JSON; with `Accept: text/event-stream` live as server-sent events, which continue after \
                `Last-Event-ID` and end within a minute of the share.
                """
            )
            .with(.cursor).with(.limit).with(.lastEventID)
            .giving(sharedTrail)
            .refusing(
                RequestError.invalidCursor, RequestError.notAcceptable(offered: [MediaType.json]),
                DomainError.tooManyStreams(20), DomainError.shareEnded, DomainError.searchOver),
            Operation(.get, "/v1/share/photos/:photo", "Get a picture of a photo of a shared search")
                .with(.photoSize)
                .giving(
                    Answer(
                        status: .ok, summary: "The picture.",
                        content: [Content(mediaType: MediaType.jpeg, type: nil, schema: .binary, example: nil)],
                        headers: []
                    )
                )
                .refusing(
                    RequestError.invalidQuery("size", form: "‘large’ or ‘small’"), DomainError.shareEnded,
                    DomainError.searchOver),
        ]
    }

    private static var sharedTrail: Answer {
        let page = Page(items: [Example.sharedSighting])
        let json = Content(
            mediaType: MediaType.json, type: Page<SharedSighting>.self, schema: JSONSchema(),
            example: JSONBody.value(page))
        return Answer(
            status: .ok, summary: "The sightings, in the order in which they were stored.",
            content: [json, .events(of: Example.sharedSighting)], headers: [.link])
    }
}

extension Example {
    static let share = Share(
        id: id(15), report: report.id, label: "Police", created: noon, ends: noon.advanced(by: ShareRules.usual),
        views: 3, lastViewed: evening)
    static var shareCreated: ShareCreated {
        let secret = token("share")
        let link = "https://registry.example.org/share#\(secret)"
        return ShareCreated(
            details: Share(
                id: share.id, report: share.report, label: share.label, created: share.created, ends: share.ends),
            link: link, secret: secret)
    }
    static let sharedSighting = SharedSighting(sighting)
    static let sharedSearch = SharedSearch(
        bike: BikeAppearance(kind: bike.kind, make: bike.make, model: bike.model, colours: bike.colours),
        photos: [SharedPhoto(photo)], missingSince: report.missingSince, ends: share.ends)
}
