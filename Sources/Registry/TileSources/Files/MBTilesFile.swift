public import MapTiles
import OperatingSystem

/// The tiles of a map in one file: raster MBTiles, a SQLite database (https://github.com/mapbox/mbtiles-spec).
///
/// The file is opened for reading only and must not change: to replace it, put another file in its place and restart.
public actor MBTilesFile: TileSource {
    public nonisolated let map: TileMap
    private let executor = QueueExecutor(label: "MBTilesFile")
    private let database: TileDatabase

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter attribution: shown in place of the file's own attribution.
    /// - Throws: ``MBTilesError``.
    public init(path: String, attribution: String?) throws(MBTilesError) {
        let database = try TileDatabase(path: path)
        let metadata = MBTilesMetadata(try database.metadata())
        guard try database.hasIndex() else { throw .slow(path: path) }
        // Many programs write no format, or another word for it: the tiles themselves say what they are.
        let samples = try database.samples()
        if samples.isEmpty {
            guard metadata.isRaster else { throw .format(path: path, metadata.format) }
        } else if !samples.contains(where: { TileFormat(signatureOf: $0) != nil }) {
            // Vector tiles are compressed with gzip (RFC 1952, section 2.3.1).
            let isVector = samples.contains { $0.starts(with: [0x1F, 0x8B]) }
            throw .format(path: path, isVector ? "pbf" : "unknown")
        }
        map = try metadata.map(attribution: attribution, path: path)
        self.database = database
    }

    /// A tile is read immediately, so tiles need not be divided among callers.
    public func tile(at coordinates: TileCoordinates, for _: TileCaller) async throws(TileError) -> ServedTile {
        guard map.zooms.contains(coordinates.zoom) else { throw .missing }
        let image: [UInt8]?
        do {
            image = try database.image(at: coordinates)
        } catch {
            throw .unavailable(retryAfter: Self.pause)
        }
        guard let image else { throw .missing }
        guard let tile = Tile(image) else { throw .unavailable(retryAfter: Self.pause) }
        return ServedTile(tile, maximumAge: Self.age)
    }

    /// The time after which a browser requests a tile again, in seconds: the file may have been replaced.
    private static let age = 86_400
    /// The time until the next request after a failure, in seconds: the file does not repair itself.
    private static let pause = 3600
}

/// The reason why a file of tiles cannot be used, and what to do.
public enum MBTilesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not a file of this format; contains SQLite's message.
    case unreadable(path: String, message: String)
    /// The tiles are not images; contains the format.
    case format(path: String, String)
    /// Without an index, looking up a tile would read the whole table.
    case slow(path: String)
    /// Neither the file nor the settings name the map's makers.
    case noAttribution(path: String)
    /// Another file beside it holds changes that are not in the file; contains its name.
    case unfinished(path: String, beside: String)

    public var description: String {
        switch self {
        case .unreadable(let path, let message): "\(path) cannot be read as MBTiles: \(message)"
        case .format(let path, let format):
            "\(path) contains ‘\(format)’ tiles: use raster MBTiles, with format png, jpg or webp"
        case .slow(let path):
            "\(path) has no index on zoom_level, tile_column and tile_row: add one with "
                + "‘CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)’"
        case .noAttribution(let path):
            "\(path) does not say who made the map: set map.attribution"
        case .unfinished(let path, let beside):
            "\(beside) holds changes that are not in the map’s file yet: end the program that writes the file, and run "
                + "‘sqlite3 \(path) \"PRAGMA wal_checkpoint(TRUNCATE)\"’"
        }
    }
}
