import HTTPTypes
import Hummingbird
import Logging
import Registry
import RegistryAPI

extension Request {
    /// The day in UTC that `?day=` names; by default the one of a time.
    func day(default time: Timestamp) throws -> CalendarDate {
        guard let text = uri.queryParameters["day"] else { return CalendarDate(time) }
        guard let day = CalendarDate(text) else {
            throw RequestError.invalidDay
        }
        return day
    }
}

/// The calls for stations.
struct StationRoutes {
    let operations: RegistryOperations
    let store: any StationStore
    let metrics: RegistryMetrics

    func add(to routes: Routes<StationContext>) {
        routes.post("/v1/sightings", report)
        routes.put("/v1/station/heartbeat", heartbeat)
        routes.get("/v1/station/coverage", coverage)
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
        var receipt = try await store.recordHeartbeat(heartbeat, of: context.station, at: operations.clock.now)
        if receipt.contradicted > 0 {
            // A station sends a quarter again only with the same values: somebody else may have its token.
            metrics.countContradictions(receipt.contradicted)
            context.logger.warning(
                "a station told what differs from what is stored",
                metadata: ["station": "\(context.station)", "quarters": "\(receipt.contradicted)"])
        }
        receipt.displays = try await operations.displayTerms(of: context.station)
        let isEmpty = heartbeat.coverage == nil && receipt.displays == nil
        return isEmpty ? Response(status: .noContent) : try .json(receipt)
    }

    @Sendable private func coverage(_ request: Request, _ context: StationContext) async throws -> Response {
        try .json(
            try await store.coverage(of: context.station, on: try request.day(default: operations.clock.now)))
    }
}
