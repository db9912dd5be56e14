import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The calls for stations.
struct StationRoutes {
    let operations: RegistryOperations
    let store: any StationStore
    let metrics: RegistryMetrics

    func add(to routes: Routes<StationContext>) {
        routes.post("/v1/sightings", report)
        routes.put("/v1/station/heartbeat", heartbeat)
    }

    @Sendable private func report(_ request: Request, _ context: StationContext) async throws -> Response {
        let batch = try await request.visitBatch()
        let result = try await operations.record(batch, by: context.station)
        metrics.count(result.results)
        return try .json(result)
    }

    @Sendable private func heartbeat(_ request: Request, _ context: StationContext) async throws -> Response {
        let heartbeat = try await request.value(
            StationHeartbeat.rule(now: operations.clock.now), unknownFields: .ignored)
        try await store.recordHeartbeat(heartbeat, of: context.station, at: operations.clock.now)
        return Response(status: .noContent)
    }
}
