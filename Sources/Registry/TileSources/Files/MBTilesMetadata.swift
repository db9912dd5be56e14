import MapTiles

/// The table `metadata` of MBTiles: names and values, all of which are texts.
struct MBTilesMetadata: Sendable {
    private let values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    /// The format of the tiles, shortened if it is long.
    var format: String { String((values["format"] ?? "unknown").prefix(20)) }

    /// Whether the file says that its tiles are images.
    var isRaster: Bool { ["png", "jpg", "jpeg", "webp"].contains(format.lowercased()) }

    /// The description of the map. Levels that are missing or contradict each other count as all levels.
    ///
    /// - Parameter attribution: the operator's, which replaces the file's own; nil if there is none.
    /// - Throws: `noAttribution` if neither the file nor the operator names the map's makers.
    func map(attribution: String?, path: String) throws(MBTilesError) -> TileMap {
        let line = Attribution.plain(attribution ?? values["attribution"] ?? "")
        guard !line.isEmpty else { throw .noAttribution(path: path) }
        let levels = 0...TileCoordinates.maximumZoom
        let lowest = zoom("minzoom") ?? levels.lowerBound
        let highest = zoom("maxzoom") ?? levels.upperBound
        return TileMap(
            attribution: line, zooms: lowest <= highest ? lowest...highest : levels,
            bounds: values["bounds"].flatMap(TileBounds.init))
    }

    /// A zoom level; nil if there is no such value, or no such level.
    private func zoom(_ name: String) -> Int? {
        guard let text = values[name], let zoom = Int(text) else { return nil }
        return (0...TileCoordinates.maximumZoom).contains(zoom) ? zoom : nil
    }
}
