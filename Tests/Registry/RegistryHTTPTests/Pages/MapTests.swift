import FoundationEssentials
import HTTPTypes
import Hummingbird
import MapTiles
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("The map")
struct MapTests {
    /// A map with one tile.
    private struct OneTile: TileSource {
        let map = TileMap(attribution: "© A", zooms: 0...7, bounds: TileBounds("-1,50,1,52"))
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

        func tile(at coordinates: TileCoordinates, for _: TileCaller) async throws(TileError) -> ServedTile {
            guard coordinates.zoom < 7 else { throw .unavailable(retryAfter: 9) }
            guard coordinates == TileCoordinates(zoom: 1, column: 0, row: 1), let tile = Tile(png) else {
                throw .missing
            }
            return ServedTile(tile, maximumAge: 77)
        }
    }

    private static func harness(limit: Int? = nil, ofLink: Int? = nil, ofDesk: Int? = nil) throws -> Harness {
        var limits = RateLimits()
        if let limit { limits[.tiles] = .rate(RequestRate(limit, per: .seconds(3600))) }
        if let ofLink { limits[.sharedTiles] = .rate(RequestRate(ofLink, per: .seconds(60))) }
        if let ofDesk { limits[.deskTiles] = .rate(RequestRate(ofDesk, per: .seconds(3600))) }
        var options = ServerOptions(limits: limits, now: { 0 })
        options.tiles = OneTile()
        return try Harness(options: options)
    }

    @Test("a registry says whether it has a map, and what it shows")
    func description() async throws {
        let without = try Harness()
        let answer = try await without.call(.get, "/v1/map")
        #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self) == "{}")
        let tile = try await without.call(.get, "/tiles/0/0/0", token: try await without.newOwner())
        #expect(tile.problem == "not-found")
        let registry = try Self.harness()
        let map = try await registry.call(.get, "/v1/map").value(MapDescription.self)
        #expect(map.tiles == .init(attribution: "© A", minZoom: 0, maxZoom: 7, bounds: [-1, 50, 1, 52]))
    }

    @Test("an owner reads a limited number of large tiles at a time")
    func largeTiles() async throws {
        var options = ServerOptions()
        var source = OneTile()
        source.png += [UInt8](repeating: 0, count: options.freeLength)
        options.tiles = source
        options.largeTiles = TransferPlaces(4, share: 2)
        let registry = try Harness(options: options)
        let owner = try await registry.newOwner()
        var held: [Response] = []
        for _ in 1...2 { held.append(try await registry.respond(.get, "/tiles/1/0/1", token: owner)) }
        #expect(held.allSatisfy { $0.status == .ok })
        #expect(try await registry.call(.get, "/tiles/1/0/1", token: owner).problem == "overloaded")
        #expect(try await registry.read(held.removeFirst()).body == Data(source.png))
        #expect(try await registry.call(.get, "/tiles/1/0/1", token: owner).status == 200)
    }

    @Test("an owner gets a tile, which the browser may keep for as long as it is fresh")
    func tile() async throws {
        let registry = try Self.harness()
        let owner = try await registry.newOwner()
        let tile = try await registry.call(.get, "/tiles/1/0/1", token: owner)
        #expect(tile.status == 200 && tile.body == Data(OneTile().png))
        #expect(tile.headers[.contentType] == "image/png")
        #expect(tile.headers[.cacheControl] == "private, max-age=77")
        #expect(tile.headers[.vary] == "Authorization, Cookie")
        #expect(tile.headers[.xContentTypeOptions] == "nosniff")
        let known: HTTPFields = tile.headers[.eTag].map { [.ifNoneMatch: $0] } ?? [:]
        let again = try await registry.call(.get, "/tiles/1/0/1", token: owner, headers: known)
        #expect(again.status == 304 && again.body.isEmpty)
        let down = try await registry.call(.get, "/tiles/7/0/0", token: owner)
        #expect(down.status == 503 && down.problem == "tiles-unavailable" && down.headers[.retryAfter] == "9")
    }

    @Test(
        "strangers, stations and operators get no tiles, and other addresses are not found",
        arguments: [
            "/tiles/1/0/0", "/tiles/01/0/1", "/tiles/1/2/0", "/tiles/20/0/0", "/tiles/-1/0/0", "/tiles/1/0/1.png",
            "/tiles/a/b/c", "/tiles/1/0/99999999999999999999999", "/tiles/%31/0/1/2",
        ])
    func refused(path: String) async throws {
        let registry = try Self.harness()
        let owner = try await registry.newOwner()
        #expect(try await registry.call(.get, path, token: owner).problem == "not-found")
        #expect(try await registry.call(.get, "/tiles/1/0/1").status == 401)
        for token in [try await registry.newStation().token, try await registry.newOperator()] {
            #expect(try await registry.call(.get, "/tiles/1/0/1", token: token).status == 403)
        }
    }

    @Test("an owner gets a limited number, with whichever token, and other owners are not affected")
    func limit() async throws {
        let registry = try Self.harness(limit: 2)
        let owner = try await registry.newOwner()
        let other = try await registry.newToken(of: owner, scope: .read)
        for token in [owner, other] {
            #expect(try await registry.call(.get, "/tiles/1/0/1", token: token).status == 200)
        }
        for token in [owner, other] {
            let refused = try await registry.call(.get, "/tiles/1/0/1", token: token)
            #expect(refused.status == 429 && refused.headers[.retryAfter] != nil)
        }
        let neighbour = try await registry.newOwner()
        #expect(try await registry.call(.get, "/tiles/1/0/1", token: neighbour).status == 200)
    }

    @Test("an operator's browser gets tiles with a limit of its own, also if an owner is signed in there")
    func desk() async throws {
        let registry = try Self.harness(limit: 1, ofDesk: 2)
        let browser = Browser(registry)
        let token = try await registry.newOperator()
        let desk = try #require(try await browser.post("/v1/desk/session", DeskSignIn(token: token)).cookie)
        let owner = try #require(try await browser.signUp().cookie)
        let tile = "/tiles/1/0/1"
        for cookie in [desk, "\(desk); \(owner)"] {
            #expect(try await browser.call(.get, tile, cookie: cookie).status == 200)
        }
        #expect(try await browser.call(.get, tile, cookie: desk).status == 429)
        // Tiles do not prolong the session.
        registry.clock.advance(by: .seconds(1800))
        _ = try await browser.call(.get, tile, cookie: desk)
        let list: Page<DeskSession> = try await registry.call(.get, "/v1/desk/sessions", token: token).value()
        #expect(list.items.map(\.lastUsed) == list.items.map(\.began))
        _ = try await browser.call(.delete, "/v1/desk/session", cookie: desk)
        #expect(try await browser.call(.get, tile, cookie: desk).problem == "session-ended")
        #expect(try await browser.call(.get, tile, cookie: "\(desk); \(owner)").status == 200)
        #expect(try await browser.call(.get, tile, cookie: owner).status == 429)
    }

    private static func share(_ registry: Harness, _ bike: BikeID, by owner: String) async throws -> ShareCreated {
        try await registry.post("/v1/bikes/\(bike)/shares", token: owner, ShareDraft(label: "Police")).value()
    }

    @Test("who has a link to a search gets tiles until the link or the search ends, which count as no views")
    func shared() async throws {
        let registry = try Self.harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner).id
        let report = try await registry.newReport(on: bike, of: owner)
        let (first, second) = (
            try await Self.share(registry, bike, by: owner), try await Self.share(registry, bike, by: owner)
        )
        #expect(try await registry.call(.get, "/v1/map", token: first.secret).status == 200)
        let tile = try await registry.call(.get, "/tiles/1/0/1", token: first.secret)
        #expect(tile.status == 200 && tile.body == Data(OneTile().png))
        #expect(tile.headers[.cacheControl] == "private, max-age=77")
        #expect(try await registry.call(.get, "/tiles/1/0/0", token: first.secret).problem == "not-found")
        let shares = try await registry.call(.get, "/v1/bikes/\(bike)/shares", token: owner).value(Page<Share>.self)
        #expect(shares.items.map(\.views) == [0, 0])
        let path = "/v1/bikes/\(bike)/shares/\(first.details.id)"
        #expect(try await registry.call(.delete, path, token: owner).status == 204)
        let revoked = try await registry.call(.get, "/tiles/1/0/1", token: first.secret)
        #expect(revoked.status == 401 && revoked.problem == "share-unknown")
        let closure = "/v1/bikes/\(bike)/reports/\(report.id)/closure"
        let closed = try await registry.call(.post, closure, token: owner, body: #"{"outcome":"recovered"}"#)
        #expect(closed.status == 200)
        let over = try await registry.call(.get, "/tiles/1/0/1", token: second.secret)
        #expect(over.status == 410 && over.problem == "search-over")
        registry.clock.advance(by: ShareRules.usual)
        #expect(try await registry.call(.get, "/tiles/1/0/1", token: second.secret).problem == "share-ended")
    }

    @Test("a link gets a limited number, all links of an owner together too, and the owner’s own are not affected")
    func sharedLimit() async throws {
        let registry = try Self.harness(limit: 3, ofLink: 2)
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner).id
        _ = try await registry.newReport(on: bike, of: owner)
        var statuses: [Int] = []
        for _ in 0..<2 {
            let link = try await Self.share(registry, bike, by: owner)
            for _ in 0..<3 {
                statuses.append(try await registry.call(.get, "/tiles/1/0/1", token: link.secret).status)
            }
        }
        #expect(statuses == [200, 200, 429, 200, 429, 429])
        #expect(try await registry.call(.get, "/tiles/1/0/1", token: owner).status == 200)
    }
}
