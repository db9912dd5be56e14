import MapTiles
import Settings

/// Settings of the map behind trails.
extension RegistrySettings {
    static let tileURL = Setting(
        "map.tiles.url",
        form: "an https address that contains {z}, {x} and {y}", isSecret: true,
        "The server of the map’s tiles; needs map.attribution, map.contact and publicURL.",
        parse: { try? TileTemplate($0) }
    )
    static let tileFile = Setting.path(
        "map.tiles.file", "A file with the map’s tiles (raster MBTiles), instead of map.tiles.url."
    )
    static let mapAttribution = Setting.text(
        "map.attribution", form: "a line of text, as in © OpenStreetMap contributors",
        "Who made the map; shown on each map. A file often says it itself."
    )
    static let mapContact = Setting.text(
        "map.contact", form: "mailto: or https: URL",
        "The contact for operators of the tile server; the first of security.contact if not set."
    )
    static let mapZoom = Setting.integer(
        "map.tiles.maxZoom", in: 0...TileCoordinates.maximumZoom, default: TileCoordinates.maximumZoom,
        "The tile server’s highest zoom level."
    )
    static let tileCacheFolder = Setting.path(
        "map.tiles.cacheFolder",
        "Where tiles of the server are kept; if not set, in the service’s cache folder, or next to the database."
    )
    static let tileCacheSize = Setting.integer(
        "map.tiles.cacheMegabytes", in: 1...100_000, unit: "megabytes", default: 200, "The size of all kept tiles."
    )

    /// All settings of this file.
    static let map: [any SettingDefinition] = [
        tileURL, tileFile, mapZoom, tileCacheFolder, tileCacheSize, mapAttribution, mapContact,
    ]
}
