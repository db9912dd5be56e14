import HTTPTypes
import Hummingbird
import NIOCore
import Registry
import RegistryAPI

/// The calls for anyone with a link to a search. They only read.
struct SharedSearchRoutes {
    let operations: RegistryOperations
    let store: any ShareStore
    let streams: TrailStreams

    func add(to routes: Routes<ShareContext>) {
        routes.get("/v1/share", open)
        routes.get("/v1/share/sightings", sightings)
        routes.get("/v1/share/photos/:photo", picture)
    }

    @Sendable private func open(_: Request, _ context: ShareContext) async throws -> Response {
        try .json(try await operations.openShare(context.secret))
    }

    @Sendable private func sightings(_ request: Request, _ context: ShareContext) async throws -> Response {
        let offered = [MediaType.json, MediaType.eventStream]
        guard let form = Accept(request.headers[values: .accept]).best(of: offered) else {
            throw RequestError.notAcceptable(offered: offered)
        }
        var response =
            form == MediaType.eventStream ? try await stream(request, context) : try await page(request, context)
        response.headers[.vary] = "Accept, Authorization"
        return response
    }

    private func page(_ request: Request, _ context: ShareContext) async throws -> Response {
        let page = try await store.sharedSightings(
            context.secret, at: operations.clock.now, try Paging.page(request))
        return try Paging.answer(
            StoredPage(items: page.items.map(SharedSighting.init), next: page.next), to: request)
    }

    private func stream(_ request: Request, _ context: ShareContext) async throws -> Response {
        let (secret, store, clock) = (context.secret, store, operations.clock)
        let share = try await store.openShare(secret, at: clock.now)
        guard share.search.closed == nil else { throw DomainError.searchOver }
        let follower = TrailFollower(
            report: share.report, owner: share.owner, revision: TrailFollower.revision(in: request),
            hasAccess: {
                try await ending(false) { try await store.openShare(secret, at: clock.now).search.closed == nil }
            },
            // No event after the end: the next heartbeat finds it and ends the stream.
            changes: { revision, limit in
                try await ending([]) {
                    try await store.sharedChanges(secret, at: clock.now, after: revision, limit: limit).map {
                        TrailEvent(revision: $0.revision, data: try JSONBody.encode(SharedSighting($0.sighting)))
                    }
                }
            })
        return try streams.open(follower, over: context.client.connection)
    }

    /// Not stored by browsers: the link may be opened on anybody's computer.
    @Sendable private func picture(_ request: Request, _ context: ShareContext) async throws -> Response {
        let size = try PhotoRoutes.size(in: request)
        let photo: PhotoID = try context.id("photo", of: "photo")
        let picture = try await operations.sharedPicture(size, of: photo, context.secret)
        return .picture(picture, headers: [:], over: context.client.connection)
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
