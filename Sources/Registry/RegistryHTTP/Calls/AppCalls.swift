import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules

/// The collections of the original FindMyBike app, which existed before this registry and cannot be changed: its paths
/// have no version, its key is part of the address, and it takes every status other than 200 for a failure. Declared
/// only if the operator has set a key.
struct AppCalls {
    private let operations: RegistryOperations
    private let key: SecretDigest

    init(operations: RegistryOperations, key: String) {
        self.operations = operations
        self.key = SecretDigest(of: key)
    }

    func add(to calls: Calls<RegistryContext>) {
        keyed(calls.get("/bikes", "List missing bikes, for the original app"))
            .answering([Example.appBike], "All missing bikes of the app.") { _ in
                try await operations.missingAppBikes()
            }

        keyed(calls.post("/bikes", "Create or update a bike, for the original app"))
            .taking(Example.appBikeDraft, unknownFields: .ignored).refusing(.identityTaken, .notFound("bike"))
            .answering(Example.appBike, "The bike; its `id` is needed to update it.") { request in
                try await operations.putAppBike(request.body)
            }

        keyed(calls.post("/sightings", "Report a sighting, for the original app"))
            .taking(Example.appSighting, unknownFields: .ignored).refusing(.notFound("bike"))
            .answering(Example.appSighting, "The sighting as it was sent; it is marked as unverified.") { request in
                try await operations.recordAppSighting(request.body)
                return request.body
            }
    }

    /// The call, for holders of the key. Digests are compared, so that the response time reveals nothing about the key.
    private func keyed(
        _ declaration: CallDeclaration<RegistryContext, Void>
    ) -> CallDeclaration<RegistryContext, Void> {
        declaration.with(.appKey).refusing(request: .wrongAppKey).checking { request, _ in
            guard let given = request.uri.queryParameters["key"], SecretDigest(of: String(given)) == key else {
                throw RequestError.wrongAppKey
            }
        }
    }
}
