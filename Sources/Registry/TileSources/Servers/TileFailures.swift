import MapTiles

/// Recent failures of a tile server, so that requests are not repeated immediately.
struct TileFailures: Sendable {
    /// The maximum number of tiles to remember.
    static let capacity = 1000

    private var tiles: [TileCoordinates: (error: TileError, until: Int64)] = [:]
    /// The time until which the server is not asked at all, in seconds since the Unix epoch.
    private var pausedUntil: Int64 = .min

    /// The failure of a tile, if the server must not be asked for it now; nil otherwise.
    ///
    /// - Parameter now: in seconds since the Unix epoch.
    func failure(of coordinates: TileCoordinates, at now: Int64) -> TileError? {
        if let tile = tiles[coordinates], now < tile.until { return tile.error }
        guard now < pausedUntil else { return nil }
        return .unavailable(retryAfter: Int(clamping: pausedUntil - now))
    }

    /// Remembers that a tile failed. If there are too many failures, all are forgotten: the server is asked once more.
    mutating func note(_ error: TileError, of coordinates: TileCoordinates, for seconds: Int64, at now: Int64) {
        if tiles.count >= Self.capacity { tiles = tiles.filter { now < $0.value.until } }
        if tiles.count >= Self.capacity { tiles.removeAll() }
        tiles[coordinates] = (error, now + seconds)
    }

    /// Notes that the server must not be asked for a time.
    mutating func pause(for seconds: Int64, at now: Int64) { pausedUntil = max(pausedUntil, now + seconds) }

    /// Forgets the failure of a tile, and lets the server be asked again immediately.
    mutating func succeeded(_ coordinates: TileCoordinates) {
        tiles[coordinates] = nil
        pausedUntil = .min
    }
}
