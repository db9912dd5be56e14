import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI
import WebPages

/// An encoded response that is the same for all callers. It is made at most once in a period, however often it is
/// requested: the map of ten thousand stations is a megabyte.
actor AnswerCache {
    struct Encoded: Sendable {
        let plain: ByteBuffer
        /// Compressed; nil if that is not smaller.
        let gzip: ByteBuffer?
        /// The entity tag of both.
        let tag: String
    }

    private let age: Duration
    private var latest: (encoded: Encoded, made: ContinuousClock.Instant)?
    private var making: Task<Encoded, any Error>?

    /// - Parameter age: how old a response may be.
    init(age: Duration) { self.age = age }

    /// The latest response, or a new one.
    ///
    /// - Parameter read: makes the JSON text; called only if the latest one is too old, and once for all waiting
    ///   callers.
    func current(_ read: @escaping @Sendable () async throws -> [UInt8]) async throws -> Encoded {
        if let latest, latest.made.duration(to: .now) < age { return latest.encoded }
        if let making { return try await making.value }
        let task = Task { Self.encode(try await read()) }
        making = task
        defer { making = nil }
        let encoded = try await task.value
        latest = (encoded, .now)
        return encoded
    }

    private static func encode(_ json: [UInt8]) -> Encoded {
        let plain = ByteBuffer(bytes: json)
        return Encoded(
            plain: plain, gzip: Compression.quickGzip(json).map { ByteBuffer(bytes: $0) }, tag: EntityTag.of(plain))
    }
}

extension AnswerCache.Encoded {
    /// The response to a request: compressed if the caller accepts gzip, and without a body if the caller has it
    /// already.
    ///
    /// - Parameters:
    ///   - caching: the value of `Cache-Control`.
    ///   - varying: the value of `Vary`.
    func answer(to request: Request, caching: String, varying: String) -> Response {
        var headers: HTTPFields = [.eTag: "W/" + tag, .cacheControl: caching, .vary: varying]
        if EntityTag.isNamed(tag, by: request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        let codings = Preference.all(in: request.headers[values: .acceptEncoding])
        if let gzip, codings.contains(where: { $0.name == "gzip" && $0.quality > 0 }) {
            headers[.contentEncoding] = "gzip"
            return .body(gzip, MediaType.json, headers: headers)
        }
        return .body(plain, MediaType.json, headers: headers)
    }
}
