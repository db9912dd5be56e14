import HTTPClient
public import Logging
public import MapTiles

/// The tiles of a server on the Internet, which the operator chose. The registry fetches and keeps them, so the server
/// learns neither who looks at a map nor from where.
public actor TileServer: TileSource {
    public nonisolated let map: TileMap
    private let template: TileTemplate
    private let referer: String
    private let transport: HTTPMultiplexer
    private let cache: TileCache
    private let now: @Sendable () -> Int64
    private let logger: Logger
    private var failures = TileFailures()
    /// The tiles that are being fetched: each only once, however many callers request it meanwhile.
    private var underWay: [TileCoordinates: Task<Result<ServedTile, TileError>, Never>] = [:]
    private var places = TilePlaces()
    /// The reason that was logged last; nil while the server answers.
    private var loggedReason: String?

    /// The maximum number of requests to the server at a time; more tiles wait.
    private static let concurrency = 6
    /// The time for one tile.
    private static let timeout = Duration.seconds(10)

    /// - Parameters:
    ///   - contact: an address where the server's operators can reach this registry's operator; part of the
    ///     `User-Agent`.
    ///   - publicURL: where people reach the registry; sent as `Referer`, without which some servers refuse.
    ///   - cacheFolder: created with the first tile.
    ///   - cacheBytes: the size of all kept tiles.
    ///   - now: in seconds since the Unix epoch.
    public init(
        _ template: TileTemplate, map: TileMap, contact: String, publicURL: String, cacheFolder: String,
        cacheBytes: Int, now: @escaping @Sendable () -> Int64, logger: Logger
    ) throws {
        var limits = TileCache.Limits()
        limits.bytes = cacheBytes
        try self.init(
            template, map: map, contact: contact, publicURL: publicURL, cacheFolder: cacheFolder, limits: limits,
            now: now, logger: logger)
    }

    init(
        _ template: TileTemplate, map: TileMap, contact: String, publicURL: String, cacheFolder: String,
        limits: TileCache.Limits, now: @escaping @Sendable () -> Int64, logger: Logger
    ) throws {
        self.map = map
        self.template = template
        referer = publicURL + "/"
        // The operator chose the server, so it may have a private address; TLS proves that it is this server.
        let configuration = HTTPConfiguration(
            connectTimeout: .seconds(5), timeout: Self.timeout, responseLimit: Tile.maximumSize,
            userAgent: "FindMyBike-registry/1 (\(publicURL); \(contact))", waitsForStreams: true)
        transport = try HTTPMultiplexer(configuration, concurrency: Self.concurrency, connections: 2)
        let source = Checksum.text(template.checksum)
        cache = TileCache(folder: cacheFolder, source: source, limits: limits, now: now)
        self.now = now
        self.logger = logger
    }

    public func tile(at coordinates: TileCoordinates, for caller: TileCaller) async throws(TileError) -> ServedTile {
        // A fresh tile is returned immediately: requests for many others must not delay it.
        let kept = await cache.tile(at: coordinates)
        if let kept, now() < kept.freshUntil { return served(kept) }
        if let task = underWay[coordinates] { return try await task.value.get() }
        guard places.take(caller) else {
            guard let kept else { throw .unavailable(retryAfter: 1) }
            return ServedTile(kept.tile, maximumAge: Self.staleAge)
        }
        // In a separate task, because others may wait for the tile when the first caller has gone. The place is taken
        // until the tile has arrived, so that callers gain nothing by leaving early.
        let task = Task { await renewed(kept, at: coordinates) }
        underWay[coordinates] = task
        let result = await task.value
        underWay[coordinates] = nil
        places.giveBack(caller)
        return try result.get()
    }

    /// A tile from the server; the kept one if the server does not respond.
    private func renewed(
        _ kept: KeptTile?, at coordinates: TileCoordinates
    ) async -> Result<ServedTile, TileError> {
        do throws(TileError) {
            if let failure = failures.failure(of: coordinates, at: now()) { throw failure }
            return .success(served(try await fetch(coordinates, kept)))
        } catch {
            guard let kept, error != .missing else { return .failure(error) }
            return .success(ServedTile(kept.tile, maximumAge: Self.staleAge))
        }
    }

    /// A fresh tile, as a browser gets it.
    private func served(_ tile: KeptTile) -> ServedTile {
        ServedTile(tile.tile, maximumAge: Int(clamping: min(tile.freshUntil - now(), Self.longestAge)))
    }

    /// The longest time for which a browser shows a tile without a new request, in seconds.
    private static let longestAge: Int64 = 86_400
    /// The same for an old tile that the server could not renew.
    private static let staleAge = 60
}

extension TileServer {
    /// How long a tile that the map does not have is not requested again, in seconds.
    private static let missingTime: Int64 = 3600
    /// How long a tile is not requested again after an unusable response, in seconds.
    private static let unusableTime: Int64 = 60
    /// How long no requests are sent to a server that cannot be reached, in seconds.
    private static let pause: Int64 = 15

    /// Requests a tile; if one is kept, only a newer one.
    private func fetch(_ coordinates: TileCoordinates, _ kept: KeptTile?) async throws(TileError) -> KeptTile {
        let answer: TileAnswer
        do {
            answer = TileAnswer(try await transport.send(request(for: coordinates, kept)), now: now())
        } catch let error as HTTPError {
            guard case .responseTooLarge = error else {
                log("it cannot be reached: \(error)")
                failures.pause(for: Self.pause, at: now())
                throw .unavailable(retryAfter: Int(Self.pause))
            }
            answer = .unusable("it sent a tile of more than 512 kB")
        } catch {
            throw .unavailable(retryAfter: Int(Self.pause))
        }
        return try await judge(answer, coordinates, kept)
    }

    /// Keeps the tile, or remembers the failure, that a response contains.
    private func judge(
        _ answer: TileAnswer, _ coordinates: TileCoordinates, _ kept: KeptTile?
    ) async throws(TileError) -> KeptTile {
        switch answer {
        case .tile(let tile, let isKept):
            succeeded(coordinates)
            if isKept { await cache.keep(tile, at: coordinates) }
            return tile
        case .unchanged(let freshUntil):
            guard var tile = kept else { return try failed(coordinates, "it sent no tile (304)") }
            succeeded(coordinates)
            tile.freshUntil = freshUntil ?? now()
            await cache.keep(tile, at: coordinates)
            return tile
        case .missing:
            failures.note(.missing, of: coordinates, for: Self.missingTime, at: now())
            throw .missing
        case .busy(let seconds):
            log("it asks to wait for \(seconds) s")
            failures.pause(for: seconds, at: now())
            throw .unavailable(retryAfter: Int(seconds))
        case .unusable(let reason): return try failed(coordinates, reason)
        }
    }

    /// Remembers and throws the failure of a tile; it never returns one.
    private func failed(_ coordinates: TileCoordinates, _ reason: String) throws(TileError) -> KeptTile {
        log(reason)
        let error = TileError.unavailable(retryAfter: Int(Self.unusableTime))
        failures.note(error, of: coordinates, for: Self.unusableTime, at: now())
        throw error
    }

    private func succeeded(_ coordinates: TileCoordinates) {
        failures.succeeded(coordinates)
        guard loggedReason != nil else { return }
        loggedReason = nil
        logger.info("the map's tile server answers again")
    }

    /// Logs a reason once, until the server answers again or the reason changes.
    private func log(_ reason: String) {
        guard reason != loggedReason else { return }
        loggedReason = reason
        logger.warning("the map's tile server gives no tile", metadata: ["reason": "\(reason)"])
    }

    private func request(for coordinates: TileCoordinates, _ kept: KeptTile?) -> HTTPRequest {
        var headers = [("Accept", "image/png, image/jpeg, image/webp"), ("Referer", referer)]
        if let tag = kept?.entityTag { headers.append(("If-None-Match", tag)) }
        if let time = kept?.lastModified { headers.append(("If-Modified-Since", time)) }
        return HTTPRequest(.get, url: template.url(of: coordinates), headers: headers)
    }
}

extension TileServer {
    /// Requests the tile of the whole world from the server, without the cache; returns the reason if it fails.
    public func failure() async -> String? {
        guard let world = TileCoordinates(zoom: map.zooms.lowerBound, column: 0, row: 0) else { return nil }
        do {
            switch TileAnswer(try await transport.send(request(for: world, nil)), now: now()) {
            case .tile, .unchanged, .missing: return nil
            case .busy(let seconds): return "it asks to wait for \(seconds) s"
            case .unusable(let reason): return reason
            }
        } catch {
            return "it cannot be reached: \(error)"
        }
    }
}
