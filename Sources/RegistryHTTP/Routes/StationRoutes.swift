import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// A station's calls.
struct StationRoutes {
    let operations: RegistryOperations

    func add(to routes: Routes<StationContext>) {
        routes.post("/v1/sightings", report)
    }

    @Sendable private func report(_ request: Request, _ context: StationContext) async throws -> Response {
        let batch = try await request.visitBatch()
        return try .json(try await operations.record(batch, by: context.station))
    }
}
