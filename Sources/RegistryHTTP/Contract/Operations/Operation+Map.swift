import HTTPTypes
import MapTiles
import Registry
import RegistryAPI

extension Operation {
    static var map: [Operation] {
        [
            Operation(
                .get, "/v1/map", "Get what the registry’s maps show",
                "Without `tiles`, the registry has no map, and its pages draw a grid."
            )
            .giving(
                .ok,
                MapDescription(
                    tiles: .init(
                        attribution: "© OpenStreetMap contributors", minZoom: 0, maxZoom: 19,
                        bounds: [-0.6, 51.2, 0.4, 51.8])),
                "The map."),
            Operation(
                .get, MapRoutes.tilePath, "Get a tile of the map",
                """
                A square of 256 pixels in the Web Mercator projection, as tile servers number them: the row counts \
                from the north. The registry fetches it from the operator’s tile server, or reads it from a file, so \
                the tile server does not learn who looks at the map. Each owner may get a limited number in an hour, and \
                each link to a search a limited number in a minute until the search is over.
                """
            )
            .with(.tile("z", "The zoom level.", most: TileCoordinates.maximumZoom))
            .with(.tile("x", "The column, from 0 to 2^z − 1."))
            .with(.tile("y", "The row, from 0 to 2^z − 1."))
            .with(.ifNoneMatch)
            .giving(
                Answer(
                    status: .ok, summary: "The tile.",
                    content: TileFormat.allCases.map {
                        Content(mediaType: $0.mediaType, type: nil, schema: .binary, example: nil)
                    },
                    headers: [.eTag]
                )
            )
            .giving(.notModified, "The caller’s copy is current.", [.eTag])
            .refusing(
                DomainError.notFound("tile"), RequestError.tilesUnavailable(retryAfter: 15), DomainError.shareEnded,
                DomainError.searchOver),
        ]
    }
}

extension Parameter {
    fileprivate static func tile(
        _ name: String, _ summary: String, most: Int = (1 << TileCoordinates.maximumZoom) - 1
    ) -> Parameter {
        Parameter(name: name, place: .path, summary: summary, schema: .integer(0...Int64(most)), isRequired: true)
    }
}
