import HTTPTypes
import Hummingbird
import NIOCore
import OperatingSystem
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The sightings of an owner's report: in pages, as a file for maps and spreadsheets, or live.
struct TrailCalls {
    let operations: RegistryOperations
    let store: any RegistryStore
    let streams: TrailStreams
    let files: MadeFiles

    /// The maximum number of sightings in one file; further sightings are on the next page.
    private static let fileLimit = 10_000

    func add(to calls: Calls<OwnerContext>) {
        let forms = [MediaType.json, MediaType.geoJSON, MediaType.gpx, MediaType.csv, MediaType.eventStream]
        calls.get(
            "/v1/bikes/:bike/reports/:report/sightings", .read, "Get a report’s sightings",
            """
            As pages of JSON; with `Accept` also as GeoJSON, GPX or CSV with up to 10,000 at once, or live as \
            server-sent events, which continue after `Last-Event-ID`.
            """
        )
        .with(.cursor, .limit, .lastEventID)
        .refusing(request: .invalidCursor, .notAcceptable(offered: [MediaType.json]))
        .refusing(.tooManyStreams(5), .overloaded)
        .giving(
            .ok, "The sightings, in the order in which they were stored; in files, by time.",
            content: [
                .json(Page(items: [Example.sighting])), .opaque(MediaType.geoJSON, .type("object")),
                .opaque(MediaType.gpx, .type("string")), .opaque(MediaType.csv, .type("string")),
                .events(of: Example.sighting),
            ], headers: [.link]
        )
        .responding { request in
            guard let form = Accept(request.http.headers[values: .accept]).best(of: forms) else {
                throw RequestError.notAcceptable(offered: forms)
            }
            let report = try request.report()
            var response =
                switch form {
                case MediaType.json: try await page(of: report, request.http)
                case MediaType.eventStream: try await stream(of: report, request)
                default:
                    try await files.respond(to: request.http, request.context) {
                        try await file(of: report, as: form, request.http)
                    }
                }
            response.headers[.vary] = "Accept, Authorization, Cookie"
            return response
        }

        calls.post(
            "/v1/bikes/:bike/reports/:report/sightings/:sighting/dismissal", .report, "Dismiss a sighting",
            "It stays in the trail, marked. While the report is open, all channels get a message, at most one an hour."
        )
        .takingNothing.needing(.report)
        .answering(Example.sighting, "The dismissed sighting.") { request in
            let report = try request.report()
            return try await store.dismissSighting(
                try request.id("sighting"), of: report.id, on: report.bike, by: request.act(operations))
        }

        calls.post(
            "/v1/bikes/:bike/reports/:report/sightings/:sighting/acknowledgement", .report, "Acknowledge a sighting",
            """
            Channels that wait for an acknowledgement get no alert about this sighting, those combined with it, or \
            earlier ones, if another channel of the caller got one. Newer sightings go to all channels. Nobody silences \
            the channels of the bike’s other members.
            """
        )
        .takingNothing.needing(.report)
        .answering(Example.sighting, "The acknowledged sighting.") { request in
            try await store.acknowledgeSighting(
                try request.id("sighting"), of: try request.report(), at: operations.clock.now)
        }
    }

    /// A page of sightings in the order in which they were stored, which is also the order of the cursors.
    private func page(of report: ReportPath, _ request: Request) async throws -> Response {
        try Paging.answer(try await store.sightings(of: report, try Paging.page(request)), to: request)
    }

    /// A file with the sightings in the order of their times.
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

    /// The sightings as they come, while the caller's token or session is valid.
    private func stream(
        of report: ReportPath, _ request: CallRequest<OwnerContext, Void>
    ) async throws -> Response {
        // Check access first: a caller without access gets a status, not a stream that ends.
        _ = try await operations.report(report)
        let (token, operations, store) = (Authentication.secret(in: request.http)?.text, operations, store)
        let follower = TrailFollower(
            report: report.id, owner: report.owner, revision: TrailFollower.revision(in: request.http),
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
        return try streams.open(follower, over: request.context.connection)
    }
}
