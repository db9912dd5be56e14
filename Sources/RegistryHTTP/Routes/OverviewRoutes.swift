import HTTPTypes
import Hummingbird
import MissingList
import Registry
import RegistryAPI

/// The operators' calls that show the whole registry: the overview, the map of stations, and references to confirm.
struct OverviewRoutes {
    let operations: RegistryOperations
    let store: any OverviewStore
    let missingList: MissingListPublisher
    let map: StationMapCache

    static let overviewPath = "/v1/overview"
    static let mapPath = "/v1/station-map"

    func add(to routes: Routes<OperatorContext>) {
        routes.get(Self.overviewPath, overview)
        routes.get(Self.mapPath, stationMap)
        routes.get("/v1/references", references)
    }

    @Sendable private func overview(_: Request, _: OperatorContext) async throws -> Response {
        let list = try await missingList.current(forWaiting: true)
        return try .json(
            try await operations.overview { bikes in
                Overview.MissingList(
                    version: list.version.number, bikes: bikes, entries: list.list.hashes.count,
                    bytes: list.full.readableBytes)
            })
    }

    @Sendable private func stationMap(_ request: Request, _: OperatorContext) async throws -> Response {
        let encoded = try await map.current { try await operations.stationMap() }
        var headers: HTTPFields = [
            .eTag: "W/" + encoded.tag, .cacheControl: "private, no-cache",
            .vary: "Accept-Encoding, Authorization, Cookie",
        ]
        if EntityTag.isNamed(encoded.tag, by: request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        let codings = Preference.all(in: request.headers[values: .acceptEncoding])
        if let gzip = encoded.gzip, codings.contains(where: { $0.name == "gzip" && $0.quality > 0 }) {
            headers[.contentEncoding] = "gzip"
            return .body(gzip, MediaType.json, headers: headers)
        }
        return .body(encoded.plain, MediaType.json, headers: headers)
    }

    @Sendable private func references(_ request: Request, _: OperatorContext) async throws -> Response {
        try Paging.answer(try await store.references(try Paging.page(request)), to: request)
    }
}
