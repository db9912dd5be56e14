import Foundation
import MapTiles
import TestSupport
import Testing

@testable import TileSources

@Suite("Tiles on disk")
struct TileCacheTests {
    private let folder: TemporaryFolder
    private let clock = HandSeconds()

    init() throws { folder = try TemporaryFolder() }

    private func cache(
        bytes: Int = 1 << 30, files: Int = 1000, reserve: UInt64 = 0, source: String = "0123456789abcdef"
    ) -> TileCache {
        TileCache(
            folder: folder.file("tiles"), source: source,
            limits: TileCache.Limits(bytes: bytes, files: files, reserve: reserve), now: { [clock] in clock.value })
    }

    private static func kept(_ number: UInt8, size: Int = 100) throws -> KeptTile {
        let image: [UInt8] = [0xFF, 0xD8, 0xFF, number] + Array(repeating: 0, count: size)
        return KeptTile(tile: try #require(Tile(image)), freshUntil: 5, entityTag: "\"a\"", lastModified: nil)
    }

    private static func place(_ column: Int) throws -> TileCoordinates {
        try #require(TileCoordinates(zoom: 12, column: column, row: 7))
    }

    private func path(_ column: Int) -> String { folder.file("tiles/0123456789abcdef/12-\(column)-7.tile") }

    @Test("a tile is read as it was kept, also after a restart")
    func restart() async throws {
        let tile = try Self.kept(1)
        await cache().keep(tile, at: try Self.place(1))
        let again = cache()
        #expect(await again.tile(at: try Self.place(1)) == tile)
        #expect(await again.tile(at: try Self.place(2)) == nil)
        #expect(await again.usage.files == 1)
    }

    @Test("the files and their size have a bound, and the least recently used are deleted")
    func bound() async throws {
        let cache = cache(bytes: 10 * 4096)
        for number in 0..<10 { await cache.keep(try Self.kept(1), at: try Self.place(number)) }
        #expect(await cache.usage.files == 10)
        #expect(await cache.tile(at: try Self.place(0)) != nil)
        await cache.keep(try Self.kept(1), at: try Self.place(10))
        #expect(await cache.usage.bytes <= 10 * 4096)
        #expect(await cache.tile(at: try Self.place(0)) != nil, "it was used lately")
        #expect(await cache.tile(at: try Self.place(1)) == nil)
        let few = self.cache(files: 5)
        #expect(await few.usage.files <= 5)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("tiles/0123456789abcdef")).count <= 5)
    }

    @Test("a damaged, shortened or foreign file is not served, and is deleted")
    func damaged() async throws {
        await cache().keep(try Self.kept(1), at: try Self.place(1))
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path(1))))
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 1
            #expect(KeptTile(bytes: bytes) == nil, "byte \(index)")
            #expect(KeptTile(bytes: Array(whole[..<index])) == nil, "length \(index)")
        }
        try Data(whole.dropLast()).write(to: URL(fileURLWithPath: path(1)))
        let cache = cache()
        #expect(await cache.tile(at: try Self.place(1)) == nil)
        #expect(await cache.usage.files == 0)
        #expect(!FileManager.default.fileExists(atPath: path(1)))
    }

    @Test("what an interrupted write and another source left is deleted; other files are not touched")
    func leftovers() async throws {
        await cache().keep(try Self.kept(1), at: try Self.place(1))
        let names = ["tiles/0123456789abcdef/12-9-7.tile.new", "tiles/0123456789abcdef/notes.txt"]
        for name in names { _ = try folder.write("part", to: name) }
        await cache(source: "fedcba9876543210").keep(try Self.kept(2), at: try Self.place(1))
        #expect(!FileManager.default.fileExists(atPath: path(1)), "the other source’s tiles")
        await cache().keep(try Self.kept(1), at: try Self.place(1))
        for name in names { _ = try folder.write("part", to: name) }
        _ = try folder.write("part", to: "tiles/notes.txt")
        #expect(await cache().tile(at: try Self.place(1)) != nil)
        #expect(!FileManager.default.fileExists(atPath: folder.file(names[0])))
        #expect(FileManager.default.fileExists(atPath: folder.file(names[1])))
        #expect(FileManager.default.fileExists(atPath: folder.file("tiles/notes.txt")))
    }

    @Test("tiles leave space on the disk for everything else")
    func reserve() async throws {
        let cache = cache(reserve: .max)
        await cache.keep(try Self.kept(1), at: try Self.place(1))
        #expect(await cache.usage.files == 0)
    }

    @Test("texts of a server that cannot be sent back are dropped")
    func texts() throws {
        var tile = try Self.kept(1)
        tile.entityTag = "\"a\"\r\nX: y"
        tile.lastModified = String(repeating: "a", count: 1000)
        let read = try #require(KeptTile(bytes: tile.bytes))
        #expect(read.entityTag == nil && read.lastModified == nil && read.tile == tile.tile)
    }

    @Test("the failures that are remembered have a bound")
    func failures() throws {
        var failures = TileFailures()
        for number in 0..<4096 {
            failures.note(.missing, of: try Self.place(number), for: 60, at: 0)
        }
        #expect(failures.failure(of: try Self.place(4095), at: 1) == .missing)
        #expect(failures.failure(of: try Self.place(4095), at: 61) == nil)
        failures.pause(for: 10, at: 100)
        #expect(failures.failure(of: try Self.place(1), at: 104) == .unavailable(retryAfter: 6))
        failures.succeeded(try Self.place(1))
        #expect(failures.failure(of: try Self.place(1), at: 104) == nil)
    }
}
