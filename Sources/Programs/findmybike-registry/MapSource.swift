import Foundation
import Logging
import MapTiles
import Settings
import Syntax
import TileSources

/// The source of the map's tiles, from the settings.
enum MapSource {
    /// Trails have no map behind them.
    case none
    case file(MBTilesFile)
    case server(Server)

    /// A tile server on the Internet, and where its tiles are kept.
    struct Server {
        let template: TileTemplate
        let map: TileMap
        /// Whom the server's operators can ask, and the address of this registry: both are sent with each request.
        let contact: String
        let publicURL: String
        let cacheFolder: String
        /// The maximum size of all kept tiles.
        let cacheBytes: Int
    }

    /// - Throws: ``SettingsError``.
    init(_ settings: ProgramSettings) throws {
        let attribution = settings.value(RegistrySettings.mapAttribution)
        switch (settings.value(RegistrySettings.tileURL), settings.value(RegistrySettings.tileFile)) {
        case (nil, nil): self = .none
        case (.some, .some): throw SettingsError(["set only one of map.tiles.url and map.tiles.file"])
        case (nil, let path?):
            do throws(MBTilesError) {
                self = .file(try MBTilesFile(path: path, attribution: attribution))
            } catch {
                throw SettingsError(["map.tiles.file: \(error)"])
            }
        case (let template?, nil):
            let contact =
                settings.value(RegistrySettings.mapContact) ?? settings.value(RegistrySettings.securityContact)?.first
            guard let attribution, let contact, let publicURL = settings.value(RegistrySettings.publicURL) else {
                throw SettingsError([
                    "map.tiles.url also needs map.attribution, map.contact and publicURL, by which the tile server’s "
                        + "operators know who asks"
                ])
            }
            guard (contact + publicURL).utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw SettingsError(["map.contact and publicURL must be ASCII text"])
            }
            self = .server(
                Server(
                    template: template,
                    map: TileMap(
                        attribution: Attribution.plain(attribution), zooms: 0...settings.value(RegistrySettings.mapZoom)
                    ),
                    contact: contact, publicURL: publicURL, cacheFolder: try Self.cacheFolder(settings),
                    // The setting is in megabytes.
                    cacheBytes: settings.value(RegistrySettings.tileCacheSize) << 20))
        }
    }

    /// The service manager's folder for data that can be fetched again (systemd.exec(5), CacheDirectory), or one that
    /// belongs to the database.
    private static func cacheFolder(_ settings: ProgramSettings) throws -> String {
        if let folder = settings.value(RegistrySettings.tileCacheFolder) { return folder }
        let folders = ProcessInfo.processInfo.environment["CACHE_DIRECTORY"]?.split(at: ":")
        if let folder = folders?.first { return "\(folder)/tiles" }
        guard case .file(let database) = try DatabasePlace(settings) else {
            throw SettingsError(["map.tiles.url also needs map.tiles.cacheFolder if the database is not a file"])
        }
        return database + ".tiles"
    }

    /// The source of tiles; nil if there is none.
    func source(_ logger: Logger) throws -> (any TileSource)? {
        switch self {
        case .none: nil
        case .file(let file): file
        case .server(let server): try server.tileServer(logger)
        }
    }

    /// Advice about a tile server that gives no tile now; nil if it does.
    func warning(_ logger: Logger) async throws -> String? {
        guard case .server(let server) = self else { return nil }
        guard let failure = try await server.tileServer(logger).failure() else { return nil }
        return "the server of map.tiles.url gives no tile: \(failure)"
    }
}

extension MapSource.Server {
    fileprivate func tileServer(_ logger: Logger) throws -> TileServer {
        try TileServer(
            template, map: map, contact: contact, publicURL: publicURL, cacheFolder: cacheFolder,
            cacheBytes: cacheBytes, now: { Int64(Date().timeIntervalSince1970) }, logger: logger)
    }
}
