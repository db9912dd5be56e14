import Concurrency
import HTTPTypes
import Hummingbird
import NIOCore
import Registry
import RegistryAPI

/// The sightings of an owner's report: in pages, as a file for maps and spreadsheets, or live.
struct TrailRoutes {
    let operations: RegistryOperations
    let store: any SightingStore
    let streams: TrailStreams
    let files: MadeFiles

    /// The maximum number of sightings in one file; further sightings are on the next page.
    private static let fileLimit = 10_000

    func add(to routes: Routes<OwnerContext>) {
        routes.get("/v1/bikes/:bike/reports/:report/sightings", .read, sightings)
        routes.post("/v1/bikes/:bike/reports/:report/sightings/:sighting/dismissal", .report, dismiss)
        routes.post(
            "/v1/bikes/:bike/reports/:report/sightings/:sighting/acknowledgement", .report, acknowledge
        )
    }

    @Sendable private func sightings(_ request: Request, _ context: OwnerContext) async throws -> Response {
        let offered = [MediaType.json, MediaType.geoJSON, MediaType.gpx, MediaType.csv, MediaType.eventStream]
        guard let form = Accept(request.headers[values: .accept]).best(of: offered) else {
            throw RequestError.notAcceptable(offered: offered)
        }
        let report = try context.report()
        var response =
            switch form {
            case MediaType.json: try await page(of: report, request)
            case MediaType.eventStream: try await stream(of: report, request, context)
            default:
                try await files.respond(to: request, context) { try await file(of: report, as: form, request) }
            }
        response.headers[.vary] = "Accept, Authorization, Cookie"
        return response
    }

    /// A page of sightings in the order in which they were stored, which is the order of the cursors.
    private func page(of report: ReportPath, _ request: Request) async throws -> Response {
        try Paging.answer(try await store.sightings(of: report, try Paging.page(request)), to: request)
    }

    /// A file with the sightings in the order of their own times.
    private func file(
        of report: ReportPath, as form: String, _ request: Request
    ) async throws -> MadeFiles.File {
        let page = try await store.sightings(
            of: report, try Paging.page(request, maximum: Self.fileLimit, defaultLimit: Self.fileLimit)
        )
        let (bytes, mediaType) = try await operations.longWork.run {
            let trail = Trail(page.items, of: report.id)
            return switch form {
            case MediaType.geoJSON: (try trail.geoJSON(), MediaType.geoJSON)
            case MediaType.gpx: (trail.gpx(), MediaType.gpx)
            default: (trail.csv(), "\(MediaType.csv); charset=utf-8; header=present")
            }
        }
        return MadeFiles.File(
            bytes: bytes, mediaType: mediaType, headers: Paging.links(from: page, to: request))
    }

    private func stream(of report: ReportPath, _ request: Request, _ context: OwnerContext) async throws -> Response {
        // Check access first: a caller without access gets a status, not a stream that ends.
        _ = try await operations.report(report)
        let (token, operations, store) = (Authentication.secret(in: request)?.text, operations, store)
        let follower = TrailFollower(
            report: report.id, owner: report.owner, revision: TrailFollower.revision(in: request),
            hasAccess: {
                guard let token,
                    try await operations.credential(token: token)?.principal == .owner(report.owner)
                else { return false }
                do {
                    _ = try await operations.report(report)
                    return true
                } catch DomainError.notFound {
                    return false
                }
            },
            changes: { revision, limit in
                try await store.sightingChanges(of: report, after: revision, limit: limit).map {
                    TrailEvent(revision: $0.revision, data: try JSONBody.encode($0.sighting))
                }
            })
        return try streams.open(follower, over: context.connection)
    }

    @Sendable private func dismiss(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try await request.refuseContent()
        let sighting = try await operations.dismissSighting(
            try context.id("sighting", of: "sighting"), of: try context.report())
        return try .json(sighting)
    }

    @Sendable private func acknowledge(_ request: Request, _ context: OwnerContext) async throws -> Response {
        try await request.refuseContent()
        let sighting = try await operations.acknowledgeSighting(
            try context.id("sighting", of: "sighting"), of: try context.report())
        return try .json(sighting)
    }
}
