import Foundation
import Hummingbird
import Operations
import RegistryAPI

/// The call that shows, before people sign up, who runs the registry and how many stations listen.
struct AboutCalls {
    let operations: RegistryOperations
    private let cache = AnswerCache(age: .seconds(Self.age))

    init(operations: RegistryOperations) { self.operations = operations }

    /// How old the response may be, in seconds: so old that callers cannot follow how single stations come and go.
    private static let age = 600

    func add(to calls: Calls<RegistryContext>) {
        calls.get(
            "/v1/about", "Get who runs the registry, and roughly where stations listen",
            """
            Counts in fields of \(StationAreas.size) degrees, only those with at least \(StationAreas.fewest) stations. The \
            answer is up to \(Self.age / 60) minutes old. `partners` has what partner registries say of their own \
            stations; at most \(StationAreas.most) fields of all of them.
            """
        )
        .giving(.ok, json: Example.description, "The registry.", headers: [.eTag]).givingNotModified
        .responding { request in
            try await cache.current { [UInt8](try JSONEncoder().encode(await operations.description())) }
                .answer(to: request.http, caching: "public, max-age=\(Self.age)", varying: "Accept-Encoding")
        }
    }
}
