import Foundation
import HTTPClient
import Logging
import MapTiles
import Synchronization
import TestSupport
import Testing

@testable import TileSources

@Suite("A tile server on the Internet")
struct TileServerTests {
    private let folder: TemporaryFolder
    private let peer: PythonPeer

    init() throws {
        let script = try #require(Bundle.module.path(forResource: "upstream", ofType: "py", inDirectory: "Fixtures"))
        folder = try TemporaryFolder()
        peer = try PythonPeer(script)
    }

    private func advance(by seconds: Int64) { clock.advance(by: seconds) }
    private let clock = HandSeconds()

    /// The source whose tiles are at a path of the test's server.
    private func source(_ path: String = "plain", port: Int? = nil) throws -> TileServer {
        var limits = TileCache.Limits()
        limits.reserve = 0
        return try TileServer(
            TileTemplate("http://127.0.0.1:\(port ?? peer.port)/\(path)/{z}/{x}/{y}"), map: TileMap(attribution: "A"),
            contact: "mailto:a@b.example", publicURL: "https://registry.example", cacheFolder: folder.file("tiles"),
            limits: limits, now: { [clock] in clock.value },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func get(_ path: String) async throws -> Data {
        let url = "http://127.0.0.1:\(peer.port)\(path)"
        return Data(try await HTTPConnection().send(HTTPRequest(.get, url: url)).body)
    }

    private func asked() async throws -> [[String: String]] {
        try JSONDecoder().decode([[String: String]].self, from: try await get("/asked"))
    }

    private static func tile(_ column: Int = 1) throws -> TileCoordinates {
        try #require(TileCoordinates(zoom: 10, column: column, row: 2))
    }

    @Test("a request says who asks, and nothing about who looks at the map")
    func request() async throws {
        let served = try await source().tile(at: try Self.tile())
        #expect(served.tile.format == .png && served.maximumAge == 60)
        let asked = try #require(try await asked().first)
        #expect(asked["path"] == "/plain/10/1/2")
        #expect(asked["user-agent"] == "FindMyBike-registry/1 (https://registry.example; mailto:a@b.example)")
        #expect(asked["referer"] == "https://registry.example/")
        #expect(Set(asked.keys) == ["path", "host", "user-agent", "accept", "accept-encoding", "referer"])
    }

    @Test("a tile is fetched once while it is fresh, then renewed, also after a restart")
    func kept() async throws {
        let first = try source()
        for _ in 0..<3 { _ = try await first.tile(at: try Self.tile()) }
        #expect(try await asked().count == 1)
        let second = try source()
        #expect(try await second.tile(at: try Self.tile()).maximumAge == 60)
        #expect(try await asked().count == 1)
        advance(by: 61)
        // The server says that it has not changed, and is fresh for ten minutes.
        #expect(try await second.tile(at: try Self.tile()).maximumAge == 600)
        let asked = try await asked()
        #expect(asked.count == 2 && asked[1]["if-none-match"] == "\"1\"")
        #expect(asked[1]["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        advance(by: 599)
        _ = try await source().tile(at: try Self.tile())
        #expect(try await self.asked().count == 2)
    }

    @Test("many who ask for a tile at the same time cause one request")
    func together() async throws {
        let source = try source("slow")
        try await withThrowingTaskGroup(of: ServedTile.self) { tasks in
            for _ in 0..<50 { tasks.addTask { try await source.tile(at: try Self.tile()) } }
            for try await served in tasks { #expect(served.tile.format == .png) }
        }
        #expect(try await asked().count == 1)
    }

    @Test("while the server fails, old tiles are shown, and it is not asked again at once")
    func stale() async throws {
        let source = try source()
        _ = try await source.tile(at: try Self.tile())
        _ = try await get("/set/500")
        advance(by: 61)
        for _ in 0..<3 { #expect(try await source.tile(at: try Self.tile()).maximumAge == 60) }
        #expect(try await asked().count == 2)
        advance(by: 61)
        _ = try await get("/set/200")
        #expect(try await source.tile(at: try Self.tile()).maximumAge == 600)
        // A server that cannot be reached at all: old tiles too.
        peer.kill()
        advance(by: 700)
        #expect(try await source.tile(at: try Self.tile()).maximumAge == 60)
        await #expect(throws: TileError.unavailable(retryAfter: 15)) { try await source.tile(at: try Self.tile(2)) }
    }

    @Test(
        "a response that is no tile is refused, and not asked for again at once",
        arguments: [
            ("endless", 60), ("bomb", 60), ("html", 60), ("lie", 60), ("elsewhere", 60), ("broken", 60),
            ("refused", 60), ("busy", 7), ("cut", 15), ("silent", 15),
        ])
    func hostile(path: String, seconds: Int) async throws {
        let source = try source(path)
        for _ in 0..<2 {
            await #expect(throws: TileError.unavailable(retryAfter: seconds)) {
                try await source.tile(at: try Self.tile())
            }
        }
        let asked = try await asked()
        #expect(asked.count == 1 && asked[0]["path"]?.hasPrefix("/\(path)/") == true)
        #expect(await source.failure() != nil)
        advance(by: Int64(seconds) + 1)
        _ = try? await source.tile(at: try Self.tile())
        #expect(try await self.asked().count == 3)
    }

    @Test("a server that asks to wait is asked for no other tile either")
    func busy() async throws {
        let source = try source("busy")
        await #expect(throws: TileError.unavailable(retryAfter: 7)) { try await source.tile(at: try Self.tile()) }
        advance(by: 3)
        await #expect(throws: TileError.unavailable(retryAfter: 4)) { try await source.tile(at: try Self.tile(2)) }
        #expect(try await asked().count == 1)
    }

    @Test("a tile that does not exist is remembered, and one that must not be kept is not")
    func missing() async throws {
        let none = try source("none")
        for _ in 0..<2 { await #expect(throws: TileError.missing) { try await none.tile(at: try Self.tile()) } }
        #expect(try await asked().count == 1)
        let unkept = try source("unkept")
        for _ in 0..<2 { #expect(try await unkept.tile(at: try Self.tile()).maximumAge == 0) }
        #expect(try await asked().count == 3)
    }

    @Test("without a disk that can be written, tiles are served all the same")
    func noDisk() async throws {
        _ = try folder.write("a file in place of the folder", to: "tiles")
        let source = try source()
        for _ in 0..<2 { #expect(try await source.tile(at: try Self.tile()).tile.format == .png) }
        #expect(try await asked().count == 2)
    }

    @Test("an account that asks for many tiles leaves places for others at its address")
    func fairness() async throws {
        let source = try source("slow")
        try await withThrowingTaskGroup(of: Bool.self) { tasks in
            for column in 0..<100 {
                tasks.addTask {
                    do {
                        _ = try await source.tile(at: try Self.tile(column), for: Self.caller("greedy"))
                        return true
                    } catch TileError.unavailable(retryAfter: 1) {
                        return false
                    }
                }
            }
            // A viewer that is refused has all the places that it may have.
            while try await tasks.next() == true {}
            let served = try await source.tile(at: try Self.tile(500), for: Self.caller("modest"))
            #expect(served.tile.format == .png)
            try await tasks.waitForAll()
        }
        // All places are free again.
        #expect(try await source.tile(at: try Self.tile(501), for: Self.caller("greedy")).tile.format == .png)
    }

    fileprivate static func caller(_ account: String) -> TileCaller { TileCaller(account: account, address: "::1") }
}

extension TileServer {
    fileprivate func tile(at place: TileCoordinates) async throws(TileError) -> ServedTile {
        try await tile(at: place, for: TileServerTests.caller("owner"))
    }
}

/// A clock in seconds that a test moves by hand.
final class HandSeconds: Sendable {
    private let seconds = Atomic<Int64>(1_795_262_400)

    var value: Int64 { seconds.load(ordering: .relaxed) }

    func advance(by count: Int64) { seconds.add(count, ordering: .relaxed) }
}
