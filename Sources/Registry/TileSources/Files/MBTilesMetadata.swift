import MapTiles

/// The table `metadata` of MBTiles: names and values, all of which are texts.
struct MBTilesMetadata: Sendable {
    private let values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    /// The format of the tiles, shortened if it is long.
    var format: String { String((values["format"] ?? "unknown").prefix(20)) }

    /// Whether the file says that its tiles are images.
    var isRaster: Bool { ["png", "jpg", "jpeg", "webp"].contains(format.lowercased()) }

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

    private func zoom(_ name: String) -> Int? {
        values[name].flatMap { Int($0) }.flatMap { (0...TileCoordinates.maximumZoom).contains($0) ? $0 : nil }
    }
}
