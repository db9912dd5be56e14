import Crypto
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import RegistryRules
import Synchronization

/// The contract as served: encoded once, and again when a bound has moved on with the year.
final class ContractDocument: Sendable {
    private struct Entry {
        /// The year for which the bounds are.
        let year: Int
        let body: ByteBuffer
        let entityTag: String
    }

    private let calls: CallTable
    private let clock: WallClock
    private let entry = Mutex<Entry?>(nil)

    init(calls: CallTable, clock: WallClock) {
        self.calls = calls
        self.clock = clock
    }

    func add(to calls: Calls<RegistryContext>) {
        calls.get("/openapi.json", "Get this contract")
            .giving(
                .ok, "The contract as OpenAPI 3.1.", content: [.opaque(MediaType.json, .type("object"))],
                headers: [.eTag]
            )
            .givingNotModified
            .responding { try self.answer($0.http) }
    }

    private func answer(_ request: Request) throws -> Response {
        let entry = try current()
        let headers: HTTPFields = [.eTag: entry.entityTag, .cacheControl: "public, no-cache"]
        guard !EntityTag.isNamed(entry.entityTag, by: request.headers[.ifNoneMatch]) else {
            return Response(status: .notModified, headers: headers)
        }
        return .body(entry.body, MediaType.json, headers: headers)
    }

    /// The contract of this year.
    private func current() throws -> Entry {
        let now = clock.now
        if let entry = entry.withLock({ $0 }), entry.year == now.year { return entry }
        let document = try OpenAPIDocument(calls: calls.all, now: now)
        let text = document.value.text
        let hash = Data(SHA256.hash(data: Array(text.utf8)).prefix(12)).base64EncodedString()
        let fresh = Entry(year: now.year, body: ByteBuffer(string: text), entityTag: "\"\(hash)\"")
        entry.withLock { $0 = fresh }
        return fresh
    }
}
