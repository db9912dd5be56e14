import NIOCore
import RegistryAPI
import WebPages

/// The encoded map of stations. It is made at most once in two seconds, however often it is requested: with ten
/// thousand stations, it is a megabyte.
actor StationMapCache {
    struct Encoded: Sendable {
        let plain: ByteBuffer
        /// Compressed; nil if that is not smaller.
        let gzip: ByteBuffer?
        /// The entity tag of both.
        let tag: String
    }

    private static let age = Duration.seconds(2)

    private var latest: (encoded: Encoded, made: ContinuousClock.Instant)?
    private var making: Task<Encoded, any Error>?

    /// - Parameter read: reads the map; called only if the latest one is too old, and once for all who wait for it.
    func current(_ read: @escaping @Sendable () async throws -> StationMap) async throws -> Encoded {
        if let latest, latest.made.duration(to: .now) < Self.age { return latest.encoded }
        if let making { return try await making.value }
        let task = Task { Self.encode(try await read()) }
        making = task
        defer { making = nil }
        let encoded = try await task.value
        latest = (encoded, .now)
        return encoded
    }

    private static func encode(_ map: StationMap) -> Encoded {
        let json = map.json
        let plain = ByteBuffer(bytes: json)
        return Encoded(
            plain: plain, gzip: Compression.quickGzip(json).map { ByteBuffer(bytes: $0) }, tag: EntityTag.of(plain))
    }
}
