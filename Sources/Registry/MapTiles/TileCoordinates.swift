/// The place of a tile in a web map: at each zoom level, the world is a square of 2^zoom × 2^zoom tiles in the Web
/// Mercator projection.
public struct TileCoordinates: Hashable, Sendable {
    /// 0 to ``maximumZoom``; the whole world is one tile at 0.
    public let zoom: Int
    /// Counted from the west, from 0 to 2^zoom − 1.
    public let column: Int
    /// Counted from the north, from 0 to 2^zoom − 1.
    public let row: Int

    /// The level at which a tile shows about 75 m. No public map has more.
    public static let maximumZoom = 19

    /// The coordinates; nil if there is no such tile.
    public init?(zoom: Int, column: Int, row: Int) {
        guard (0...Self.maximumZoom).contains(zoom) else { return nil }
        let tiles = 0..<(1 << zoom)
        guard tiles.contains(column), tiles.contains(row) else { return nil }
        self.zoom = zoom
        self.column = column
        self.row = row
    }

    /// Reads coordinates from the segments of a path; nil if there is no such tile. Each number has one spelling, so
    /// that a tile has one address.
    public init?(zoom: some StringProtocol, column: some StringProtocol, row: some StringProtocol) {
        guard let zoom = Self.number(zoom), let column = Self.number(column), let row = Self.number(row) else {
            return nil
        }
        self.init(zoom: zoom, column: column, row: row)
    }

    /// A number of at most six decimal digits; nil for other texts, and with a leading zero.
    private static func number(_ text: some StringProtocol) -> Int? {
        let digits = text.utf8
        guard (1...6).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits.first != 0x30
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The row counted from the south, as the Tile Map Service specification and MBTiles do.
    public var rowFromSouth: Int { (1 << zoom) - 1 - row }
}

extension TileCoordinates: CustomStringConvertible {
    public var description: String { "\(zoom)/\(column)/\(row)" }
}
