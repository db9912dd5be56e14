import Syntax

/// A source of the tiles of the registry's maps.
public protocol TileSource: Sendable {
    /// The description of the maps.
    var map: TileMap { get }

    /// The tile at a place. If too many are being fetched, the callers that wait for most of them are refused.
    ///
    /// - Throws: `missing`, or `unavailable` also for a caller that must wait for others.
    func tile(at coordinates: TileCoordinates, for caller: TileCaller) async throws(TileError) -> ServedTile
}

/// What a page must know about a map before it requests tiles.
public struct TileMap: Hashable, Sendable {
    /// Who made the map, as plain text; shown on each map.
    public let attribution: String
    /// The levels for which there are tiles.
    public let zooms: ClosedRange<Int>
    /// The area for which there are tiles; nil for the whole world.
    public let bounds: TileBounds?

    /// - Parameter attribution: see ``Attribution/plain(_:)``.
    public init(
        attribution: String, zooms: ClosedRange<Int> = 0...TileCoordinates.maximumZoom, bounds: TileBounds? = nil
    ) {
        self.attribution = attribution
        self.zooms = zooms
        self.bounds = bounds
    }
}

/// An area of the earth, in degrees.
public struct TileBounds: Hashable, Sendable {
    public let west: Double
    public let south: Double
    public let east: Double
    public let north: Double

    /// Reads `west,south,east,north`, as in MBTiles; nil if it is not an area.
    public init?(_ text: String) {
        let parts = text.utf8.count <= 200 ? text.split(at: ",", omittingEmptySubsequences: false) : []
        let numbers = parts.compactMap { Double($0.filter { !$0.isWhitespace }) }
        guard parts.count == 4, numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
        (west, south, east, north) = (numbers[0], numbers[1], numbers[2], numbers[3])
        guard -180 <= west, west < east, east <= 180, -90 <= south, south < north, north <= 90 else { return nil }
    }
}

/// A tile, and how long a browser may show it without a new request.
public struct ServedTile: Hashable, Sendable {
    public let tile: Tile
    /// In seconds, at least 0.
    public let maximumAge: Int

    public init(_ tile: Tile, maximumAge: Int) {
        self.tile = tile
        self.maximumAge = max(0, maximumAge)
    }
}

/// The reason why there is no tile.
public enum TileError: Error, Hashable, Sendable {
    /// The map has no tile there.
    case missing
    /// The source does not respond, or not with a tile; contains the seconds until the next request to it.
    case unavailable(retryAfter: Int)
}

/// A caller that requests a tile. A source that can fetch only a limited number at a time divides them among its
/// callers.
public struct TileCaller: Hashable, Sendable {
    /// A name of the account. It is only compared with others.
    public let account: String
    /// The client's address; nil if it has none.
    public let address: String?

    public init(account: String, address: String?) {
        self.account = account
        self.address = address
    }
}
