import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls of owners for links to their searches, and the calls of anyone who has a link.
struct ShareCalls {
    let operations: RegistryOperations
    let store: any RegistryStore
    let streams: TrailStreams
    let limiter: RateLimiter
    let proxies: TrustedProxies

    func add(to calls: Calls<OwnerContext>) {
        let path = "/v1/bikes/:bike/shares"
        // Making a link needs a passkey that was just used: with a link, a thief could follow the trail from anywhere,
        // long after the phone is locked. Revoking a link must be easy.
        calls.post(
            path, .manage, "Make a link to the bike’s search",
            """
            Anyone who has it can follow the open search at `link`, and only that, until it ends. A bike has up to \
            \(ShareRules.most). It ends with the token or the session that made it. This is announced on all channels.
            """
        )
        .taking(ShareDraft(label: "Police")).once
        .refusing(.bikeNotMissing, .sharesFull, .ownerSuspended, .shareInUse(Example.share.id), .linksUnavailable)
        .daily(.shares)
        .creating(Example.shareCreated, "The link, which is shown this once.", id: \.details.id) { request in
            let bike: BikeID = try request.id("bike")
            return try await operations.createShare(
                request.body, on: bike, with: request.context.client.token, by: request.act(operations),
                once: request.once)
        }

        calls.get(
            path, .read, "List the links to a bike’s searches",
            "Those that work or ended in the last \(ShareRules.kept.wholeDays) days."
        )
        .listing(Example.share, "A page of links, without their secrets.") { request, page in
            try await operations.shares(on: try request.id("bike"), of: request.owner, page)
        }

        calls.delete(
            path + "/:share", .report, "Revoke a link",
            "Its live streams end within a minute. This is announced on all channels."
        )
        .done("It no longer works.") { request in
            let share: ShareID = try request.id("share")
            try await operations.store.revokeShare(share, on: try request.id("bike"), by: request.act(operations))
        }
    }

    /// The calls of anyone with a link. All but messages only read.
    func add(to calls: Calls<ShareContext>) {
        calls.get(
            "/v1/share", "Open a shared search", "Counts as a view. Once the search is over, it says how it ended."
        )
        .refusing(.shareEnded)
        .answering(Example.sharedSearch, "What anyone who has the link may know.") { request in
            try await operations.openShare(request.context.secret)
        }

        let forms = [MediaType.json, MediaType.eventStream]
        calls.get(
            "/v1/share/sightings", "Get the sightings of a shared search",
            """
            As pages of JSON; with `Accept: text/event-stream` live as server-sent events, which continue after \
            `Last-Event-ID` and end within a minute of the share.
            """
        )
        .with(.cursor, .limit, .lastEventID)
        .refusing(request: .invalidCursor, .notAcceptable(offered: [MediaType.json]))
        .refusing(.tooManyStreams(20), .shareEnded, .searchOver)
        .giving(
            .ok, "The sightings, in the order in which they were stored.",
            content: [.json(Page(items: [Example.sharedSighting])), .events(of: Example.sharedSighting)],
            headers: [.link]
        )
        .responding { request in
            guard let form = Accept(request.http.headers[values: .accept]).best(of: forms) else {
                throw RequestError.notAcceptable(offered: forms)
            }
            let isLive = form == MediaType.eventStream
            var response = isLive ? try await stream(request) : try await page(request)
            response.headers[.vary] = "Accept, Authorization"
            return response
        }

        // Browsers must not store it: the link may be opened on somebody else's computer.
        calls.get("/v1/share/photos/:photo", "Get a picture of a photo of a shared search")
            .with(.photoSize).givingPicture([]).refusing(.shareEnded, .searchOver)
            .responding { request in
                let size = try request.http.photoSize
                let photo: PhotoID = try request.id("photo")
                let picture = try await operations.sharedPicture(size, of: photo, request.context.secret)
                return .picture(picture, headers: [:], over: request.context.client.connection)
            }
    }

    /// The only thing that somebody with a link can change. Messages count by address, as those of finders do, and
    /// conversations by link and network.
    func addMessages(to calls: Calls<ShareContext>) {
        calls.post(
            "/v1/share/messages", "Write to the owner of a shared search’s bike",
            """
            It begins a conversation as `POST \(FinderCalls.form)` does, with the same limits and a page of its own. \
            The owner sees that it came by a link, but not by which. `key` makes it happen once.
            """
        )
        .taking(SharedMessage(text: "I saw it at the station.", key: Base64URL(Array(repeating: 7, count: 32))))
        .refusing(.shareEnded, .searchOver, .message(.tooManyConversations))
        .refusing(request: .tooManyRequests(retryAfter: 60))
        .answering(
            SharedConversation(page: "/messages/BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc"),
            "The conversation.", status: .created
        ) { request in
            let client = request.context.client
            try limiter.admit(.messages, request.http.head, of: client)
            let network = proxies.network(peer: client.peer, headers: request.http.headers)
            let secret = try await operations.write(
                request.body, by: request.context.secret, from: network)
            return SharedConversation(page: FinderCalls.path(of: secret))
        }
    }

    /// A page of the search's sightings, as JSON.
    private func page(_ request: CallRequest<ShareContext, Void>) async throws -> Response {
        let page = try await store.sharedSightings(
            request.context.secret, at: operations.clock.now, try Paging.page(request.http))
        return try Paging.answer(
            StoredPage(items: page.items.map(SharedSighting.init), next: page.next), to: request.http)
    }

    /// The search's sightings as they come, until the search or the share ends.
    private func stream(_ request: CallRequest<ShareContext, Void>) async throws -> Response {
        let (secret, store, clock) = (request.context.secret, store, operations.clock)
        let share = try await store.openShare(secret, at: clock.now)
        guard share.search.closed == nil else { throw DomainError.searchOver }
        let follower = TrailFollower(
            report: share.report, owner: share.owner, revision: TrailFollower.revision(in: request.http),
            hasAccess: {
                try await ending(false) { try await store.openShare(secret, at: clock.now).search.closed == nil }
            },
            // There is no event for the end: the next heartbeat notices it and ends the stream.
            changes: { revision, limit in
                try await ending([]) {
                    try await store.sharedChanges(secret, at: clock.now, after: revision, limit: limit).map {
                        TrailEvent(revision: $0.revision, data: try JSONBody.encode(SharedSighting($0.sighting)))
                    }
                }
            })
        return try streams.open(follower, over: request.context.client.connection)
    }
}

/// The result of a call, or `end` once the share has ended.
private func ending<Result>(_ end: Result, _ call: () async throws -> Result) async throws -> Result {
    do {
        return try await call()
    } catch DomainError.shareUnknown, DomainError.shareEnded, DomainError.searchOver {
        return end
    }
}
