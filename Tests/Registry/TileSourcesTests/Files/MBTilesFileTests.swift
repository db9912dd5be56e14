import Foundation
import GRDBSQLite
import MapTiles
import TestSupport
import Testing

@testable import TileSources

@Suite("A map in an MBTiles file")
struct MBTilesFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let metadata = "CREATE TABLE metadata (name TEXT, value TEXT);"
    private static let tiles =
        "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"
    private static let index = "CREATE UNIQUE INDEX i ON tiles (zoom_level, tile_column, tile_row);"
    private static let named = "INSERT INTO metadata VALUES ('format', 'png'), ('attribution', '<b>&copy; A</b>');"
    private static let png = "X'89504E470D0A1A0A00'"

    /// Makes a file with SQL.
    private func make(_ sql: String...) throws -> String {
        let path = folder.file("map #1.mbtiles")
        try? FileManager.default.removeItem(atPath: path)
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        try #require(sqlite3_open(path, &connection) == SQLITE_OK)
        let code = sqlite3_exec(connection, sql.joined(), nil, nil, nil)
        try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))")
        return path
    }

    private static func place(_ zoom: Int, _ column: Int, _ row: Int) throws -> TileCoordinates {
        try #require(TileCoordinates(zoom: zoom, column: column, row: row))
    }

    @Test("tiles are found by their rows from the south")
    func tile() async throws {
        let path = try make(
            Self.metadata, Self.tiles, Self.index, Self.named,
            "INSERT INTO metadata VALUES ('minzoom', '2'), ('maxzoom', '3'), ('bounds', '-1,50,1,52');",
            "INSERT INTO tiles VALUES (3, 4, 2, \(Self.png)), (3, 4, 0, X'00'), (1, 0, 0, \(Self.png));")
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let file = try MBTilesFile(path: path, attribution: nil)
        #expect(file.map == TileMap(attribution: "© A", zooms: 2...3, bounds: TileBounds("-1,50,1,52")))
        #expect(try await file.tile(at: try Self.place(3, 4, 5)).tile.format == .png)
        for place in [(3, 4, 4), (3, 5, 5), (2, 0, 0), (1, 0, 1), (4, 0, 0)] {
            let place = try Self.place(place.0, place.1, place.2)
            await #expect(throws: TileError.missing) { try await file.tile(at: place) }
        }
        // Not an image.
        await #expect(throws: TileError.unavailable(retryAfter: 3600)) {
            try await file.tile(at: try Self.place(3, 4, 7))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before, "no other files")
        #expect(try MBTilesFile(path: path, attribution: "B").map.attribution == "B")
    }

    @Test("a view of two tables serves as well, and many look-ups use no budget of each other")
    func view() async throws {
        let path = try make(
            Self.metadata, Self.named,
            "CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);",
            "CREATE TABLE images (tile_id TEXT PRIMARY KEY, tile_data BLOB);",
            "CREATE UNIQUE INDEX m ON map (zoom_level, tile_column, tile_row);",
            "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images",
            " ON images.tile_id = map.tile_id;",
            "INSERT INTO images VALUES ('a', \(Self.png)); INSERT INTO map VALUES (0, 0, 0, 'a');")
        let file = try MBTilesFile(path: path, attribution: nil)
        for _ in 0..<20_000 { _ = try await file.tile(at: try Self.place(0, 0, 0)) }
    }

    @Test(
        "a file whose format is missing or has another name is served as what its tiles are",
        arguments: ["", "('format', 'image/png')", "('format', 'pbf')", "('format', '')"])
    func format(row: String) async throws {
        // As MapCache and older versions of QTiles make it.
        let path = try make(
            Self.metadata, Self.tiles, Self.index, "INSERT INTO metadata VALUES ('name', 'town'), ('version', '1.0');",
            row.isEmpty ? "" : "INSERT INTO metadata VALUES \(row);",
            // Tiles that are longer than a tile can be, or empty, say nothing.
            "INSERT INTO tiles VALUES (3, 0, 0, zeroblob(50000000)), (3, 0, 1, NULL), (3, 4, 2, \(Self.png));")
        let file = try MBTilesFile(path: path, attribution: "A")
        #expect(try await file.tile(at: try Self.place(3, 4, 5)).tile.format == .png)
    }

    @Test("a file with changes in another file beside it is refused with what to do, and served afterwards")
    func unfinished() async throws {
        let path = try make(Self.metadata, Self.tiles, Self.index, Self.named)
        var writer: OpaquePointer?
        try #require(sqlite3_open(path, &writer) == SQLITE_OK)
        let sql = "PRAGMA journal_mode = WAL; INSERT INTO tiles VALUES (3, 4, 2, \(Self.png));"
        try #require(sqlite3_exec(writer, sql, nil, nil, nil) == SQLITE_OK)
        let error = #expect(throws: MBTilesError.unfinished(path: path, beside: path + "-wal")) {
            try MBTilesFile(path: path, attribution: nil)
        }
        #expect(error?.description.contains("wal_checkpoint(TRUNCATE)") == true)
        // The advice, while the other program has it open.
        try #require(sqlite3_exec(writer, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil) == SQLITE_OK)
        let file = try MBTilesFile(path: path, attribution: nil)
        #expect(try await file.tile(at: try Self.place(3, 4, 5)).tile.format == .png)
        sqlite3_close(writer)
        // A journal: unfinished, and finished.
        let journal = path + "-journal"
        for (start, isFinished) in [([0xD9, 0xD5, 0x05, 0xF9], false), ([0, 0, 0, 0], true)] as [([UInt8], Bool)] {
            try Data(start + [UInt8](repeating: 0, count: 508)).write(to: URL(fileURLWithPath: journal))
            #expect(((try? MBTilesFile(path: path, attribution: nil)) != nil) == isFinished)
        }
        try FileManager.default.removeItem(atPath: journal)
    }

    @Test(
        "a file that is no raster MBTiles is refused in words",
        arguments: [
            ([""], "no such table: tiles"), ([metadata, named], "no such table"),
            ([metadata, tiles, index], "‘unknown’ tiles"),
            ([metadata, tiles, index, "INSERT INTO metadata VALUES ('format', 'pbf');"], "raster MBTiles"),
            ([metadata, tiles, named], "has no index"),
            ([metadata, tiles, index, named, "INSERT INTO tiles VALUES (0, 0, 0, X'1F8B0800');"], "‘pbf’ tiles"),
            ([metadata, tiles, index, named, "INSERT INTO tiles VALUES (0, 0, 0, X'00');"], "‘unknown’ tiles"),
            ([metadata, tiles, index, "INSERT INTO metadata VALUES ('format', 'jpg');"], "map.attribution"),
            (["CREATE TABLE metadata (name TEXT);", tiles, index], "cannot be read"),
            (
                [
                    metadata, named,
                    "CREATE VIEW tiles AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)",
                    " SELECT n AS zoom_level, n AS tile_column, n AS tile_row, x'00' AS tile_data FROM r;",
                ], "has no index"
            ),
            (
                [
                    "CREATE VIEW metadata AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)",
                    " SELECT 'a' AS name, max(n) AS value FROM r;", tiles, index,
                ], "interrupted"
            ),
        ])
    func refused(sql: [String], reason: String) throws {
        let path = try make(sql.joined())
        let error = #expect(throws: MBTilesError.self) { try MBTilesFile(path: path, attribution: nil) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("another file, and no file, is refused in words")
    func noDatabase() throws {
        let text = try folder.write(String(repeating: "no database ", count: 100), to: "text.mbtiles")
        for path in [text, folder.file("none.mbtiles"), folder.path] {
            #expect(throws: MBTilesError.self) { try MBTilesFile(path: path, attribution: nil) }
        }
    }

    @Test("a huge blob, a damaged file and odd values give no tile, and no harm")
    func hostile() async throws {
        let path = try make(
            Self.metadata, Self.tiles, Self.index, Self.named,
            "INSERT INTO metadata VALUES ('minzoom', '99999999999999999999'), ('maxzoom', '-7'), ('bounds', 'x');",
            "INSERT INTO tiles VALUES (0, 0, 0, zeroblob(50000000)), (1, 0, 0, NULL), (1, 0, 1, 'text'), (1, 1, 0, 7);",
            "INSERT INTO tiles VALUES (1, 1, 1, \(Self.png));")
        let file = try MBTilesFile(path: path, attribution: nil)
        #expect(file.map.bounds == nil && file.map.zooms.contains(1))
        await #expect(throws: TileError.unavailable(retryAfter: 3600)) {
            try await file.tile(at: try Self.place(0, 0, 0))
        }
        for (column, row) in [(0, 1), (0, 0), (1, 1)] {
            await #expect(throws: TileError.self) { try await file.tile(at: try Self.place(1, column, row)) }
        }
        // Each page in turn is overwritten; whatever SQLite makes of it, the process lives.
        let whole = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(64 << 10)
        for start in stride(from: 100, to: whole.count, by: 1500) {
            var damaged = whole
            damaged.replaceSubrange(start..<min(start + 40, damaged.endIndex), with: Data(repeating: 0xA5, count: 40))
            let copy = folder.file("damaged.mbtiles")
            try damaged.write(to: URL(fileURLWithPath: copy))
            guard let file = try? MBTilesFile(path: copy, attribution: nil) else { continue }
            _ = try? await file.tile(at: try Self.place(1, 0, 1))
        }
    }
}

extension MBTilesFile {
    fileprivate func tile(at place: TileCoordinates) async throws(TileError) -> ServedTile {
        try await tile(at: place, for: TileCaller(account: "owner", address: nil))
    }
}
