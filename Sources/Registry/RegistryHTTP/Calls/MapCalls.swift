import HTTPTypes
import Hummingbird
import MapTiles
import NIOCore
import OperatingSystem
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls for maps: the map's description and its tiles. Tiles are for owners, for those with whom they share a
/// search, and for operators' pages, and each of these may get a limited number. So the registry is not an open proxy
/// of the tile server.
struct MapCalls {
    /// Nil if the registry has no map.
    let source: (any TileSource)?
    let limiter: RateLimiter
    let proxies: TrustedProxies
    /// Where the links to searches are looked up.
    let shares: any RegistryStore
    let clock: WallClock

    func addDescription(to calls: Calls<RegistryContext>) {
        calls.get(
            "/v1/map", "Get what the registry’s maps show",
            "Without `tiles`, the registry has no map, and its pages draw a grid."
        )
        .answering(Example.map, "The map.") { _ in MapDescription(tiles: source.map { .init($0.map) }) }
    }

    func addTiles(to calls: Calls<RegistryContext>) {
        calls.get(
            "/tiles/:z/:x/:y", "Get a tile of the map",
            """
            A square of 256 pixels in the Web Mercator projection, as tile servers number them: the row counts \
            from the north. The registry fetches it from the operator’s tile server, or reads it from a file, so \
            the tile server does not learn who looks at the map. Each owner may get a limited number in an hour, and \
            each link to a search a limited number in a minute until the search is over.
            """
        )
        .watching
        .with(
            .tile("z", "The zoom level.", most: TileCoordinates.maximumZoom),
            .tile("x", "The column, from 0 to 2^z − 1."), .tile("y", "The row, from 0 to 2^z − 1.")
        )
        .giving(.ok, "The tile.", content: TileFormat.allCases.map { .opaque($0.mediaType) }, headers: [.eTag])
        .givingNotModified
        .refusing(.notFound("tile"), .shareEnded, .searchOver)
        .refusing(request: .tilesUnavailable(retryAfter: 15))
        .responding { try await tile($0.http, $0.context) }
    }

    private func tile(_ request: Request, _ context: RegistryContext) async throws -> Response {
        let viewer = try await viewer(context)
        guard let source, let coordinates = Self.coordinates(context.parameters),
            source.map.zooms.contains(coordinates.zoom)
        else { throw DomainError.notFound("tile") }
        if let share = viewer.share { try limiter.admit(.sharedTiles, by: share) }
        try limiter.admit(viewer.isOperator ? .deskTiles : .tiles, by: viewer.account)
        let address = proxies.client(peer: context.peer, headers: request.headers)
        let caller = TileCaller(account: viewer.account, address: address.map { "\($0.client)" })
        let served: ServedTile
        do {
            served = try await source.tile(at: coordinates, for: caller)
        } catch .missing {
            throw DomainError.notFound("tile")
        } catch .unavailable(let seconds) {
            throw RequestError.tilesUnavailable(retryAfter: seconds)
        }
        return Self.answer(request, served)
    }

    private static func answer(_ request: Request, _ served: ServedTile) -> Response {
        let tag = "\"\(Checksum.text(served.tile.checksum))\""
        let headers: HTTPFields = [
            .eTag: tag, .cacheControl: "private, max-age=\(served.maximumAge)", .vary: "Authorization, Cookie",
        ]
        guard !EntityTag.isNamed(tag, by: request.headers[.ifNoneMatch]) else {
            return Response(status: .notModified, headers: headers)
        }
        return .body(ByteBuffer(bytes: served.tile.bytes), served.tile.format.mediaType, headers: headers)
    }

    /// The place in the path; nil if there is no such tile.
    private static func coordinates(_ parameters: Hummingbird.Parameters) -> TileCoordinates? {
        guard let zoom = parameters.get("z"), let column = parameters.get("x"), let row = parameters.get("y") else {
            return nil
        }
        return TileCoordinates(zoom: zoom, column: column, row: row)
    }
}

// Who may get tiles.
extension MapCalls {
    private struct Viewer {
        /// The name under which tiles are counted together.
        let account: String
        /// The share's name; nil for an owner or an operator.
        var share: String?
        var isOperator = false
    }

    /// An owner, an operator who is signed in in a browser, or anyone with a link to a search that continues. All links
    /// of an owner share one account, apart from the owner's own account, so neither many links nor a crowd with one
    /// link get more tiles.
    ///
    /// - Throws: `unauthenticated`, `forbidden`, `shareUnknown`, `shareEnded`, `searchOver`.
    private func viewer(_ context: RegistryContext) async throws -> Viewer {
        if let secret = context.share {
            let share = try await shares.openShare(secret, at: clock.now)
            guard share.search.closed == nil else { throw DomainError.searchOver }
            return Viewer(account: "shares of \(share.owner)", share: "\(share.id)")
        }
        guard let principal = context.principal else { throw DomainError.unauthenticated }
        // An operator's token gets none: only the desk's pages have a map.
        if context.desk != nil { return Viewer(account: "\(principal)", isOperator: true) }
        guard principal.kind == .owner else { throw DomainError.forbidden(needed: .owner) }
        return Viewer(account: "\(principal)")
    }
}

extension MapDescription.Tileset {
    fileprivate init(_ map: TileMap) {
        self.init(
            attribution: map.attribution, minZoom: map.zooms.lowerBound, maxZoom: map.zooms.upperBound,
            bounds: map.bounds.map { [$0.west, $0.south, $0.east, $0.north] })
    }
}

extension Parameter {
    fileprivate static func tile(
        _ name: String, _ summary: String, most: Int = (1 << TileCoordinates.maximumZoom) - 1
    ) -> Parameter {
        Parameter(name: name, place: .path, summary: summary, schema: .integer(0...Int64(most)), isRequired: true)
    }
}

extension Example {
    fileprivate static let map = MapDescription(
        tiles: .init(
            attribution: "© OpenStreetMap contributors", minZoom: 0, maxZoom: 19, bounds: [-0.6, 51.2, 0.4, 51.8]))
}
