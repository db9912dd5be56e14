/// What the registry's pages need to know about maps: response to `GET /v1/map`.
public struct MapDescription: Codable, Hashable, Sendable {
    /// The map behind trails; absent if the registry has none.
    public var tiles: Tileset?

    /// A map that `GET /tiles/{z}/{x}/{y}` returns in tiles.
    public struct Tileset: Codable, Hashable, Sendable {
        /// Who made the map, as plain text. Show it on the map.
        public var attribution: String
        /// The levels for which there are tiles, 0 to 19.
        public var minZoom: Int
        public var maxZoom: Int
        /// The area for which there are tiles: west, south, east and north in degrees; absent for the whole world.
        public var bounds: [Double]?

        public init(attribution: String, minZoom: Int, maxZoom: Int, bounds: [Double]? = nil) {
            self.attribution = attribution
            self.minZoom = minZoom
            self.maxZoom = maxZoom
            self.bounds = bounds
        }
    }

    public init(tiles: Tileset? = nil) { self.tiles = tiles }
}
