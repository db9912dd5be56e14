import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// A station's calls.
struct StationRoutes {
    let operations: RegistryOperations
    let missingList: MissingListCache
    let metrics: RegistryMetrics

    func add(to routes: Routes<StationContext>) {
        routes.get("/v1/missing", missing)
        routes.post("/v1/sightings", report)
        routes.put("/v1/station/heartbeat", heartbeat)
    }

    @Sendable private func missing(_ request: Request, _: StationContext) async throws -> Response {
        let list = try await missingList.current()
        var headers: HTTPFields = [.eTag: list.entityTag, .cacheControl: "private, no-cache"]
        guard !EntityTag.isNamed(list.entityTag, by: request.headers[.ifNoneMatch]) else {
            return Response(status: .notModified, headers: headers)
        }
        headers[.vary] = "Authorization"
        return .body(list.body, MediaType.json, headers: headers)
    }

    @Sendable private func report(_ request: Request, _ context: StationContext) async throws -> Response {
        let batch = try await request.visitBatch()
        let result = try await operations.record(batch, by: context.station)
        metrics.count(result.results)
        return try .json(result)
    }

    @Sendable private func heartbeat(_ request: Request, _ context: StationContext) async throws -> Response {
        let heartbeat = try await request.value(StationHeartbeat.rule, unknownFields: .ignored)
        try await operations.recordHeartbeat(heartbeat, of: context.station)
        return Response(status: .noContent)
    }
}
