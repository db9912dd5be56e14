import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The collections of the original app, if the operator has set a key for it. That client expects status 200 and
/// treats any other status as a failure.
struct AppRoutes {
    let operations: RegistryOperations
    private let key: SecretDigest

    init(operations: RegistryOperations, key: String) {
        self.operations = operations
        self.key = SecretDigest(of: key)
    }

    func add(to routes: Routes<RegistryContext>) {
        routes.get("/bikes", bikes)
        routes.post("/bikes", putBike)
        routes.post("/sightings", sighting)
    }

    @Sendable private func bikes(_ request: Request, _: RegistryContext) async throws -> Response {
        try checkKey(request)
        return try .json(try await operations.missingAppBikes())
    }

    @Sendable private func putBike(_ request: Request, _: RegistryContext) async throws -> Response {
        try checkKey(request)
        let draft = try await request.value(AppBikeDraft.rule(now: operations.clock.now), unknownFields: .ignored)
        return try .json(try await operations.putAppBike(draft))
    }

    @Sendable private func sighting(_ request: Request, _: RegistryContext) async throws -> Response {
        try checkKey(request)
        let sighting = try await request.value(AppSighting.rule(now: operations.clock.now), unknownFields: .ignored)
        try await operations.recordAppSighting(sighting)
        return try .json(sighting)
    }

    /// Checks the key by comparing digests, so that the response time reveals nothing about it.
    private func checkKey(_ request: Request) throws {
        guard let given = request.uri.queryParameters["key"], SecretDigest(of: String(given)) == key else {
            throw RequestError.wrongAppKey
        }
    }
}
