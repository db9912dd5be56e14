import MapTiles
import Testing

@Suite("The coordinates of tiles")
struct TileCoordinatesTests {
    @Test("a tile exists if its numbers are in the range of its level")
    func ranges() {
        #expect(TileCoordinates(zoom: 0, column: 0, row: 0) != nil)
        #expect(TileCoordinates(zoom: 19, column: 524_287, row: 524_287) != nil)
        for (zoom, column, row) in [
            (-1, 0, 0), (20, 0, 0), (0, 1, 0), (0, 0, 1), (3, 8, 0), (3, 0, 8), (3, -1, 0), (3, 0, -1),
            (19, 524_288, 0), (.max, 0, 0), (63, 0, 0), (64, 0, 0), (.min, .min, .min), (19, .max, .max),
        ] {
            #expect(TileCoordinates(zoom: zoom, column: column, row: row) == nil, "\(zoom)/\(column)/\(row)")
        }
    }

    @Test("a tile has one spelling in an address")
    func spelling() throws {
        let tile = try #require(TileCoordinates(zoom: "16", column: "35204", row: "21494"))
        #expect(tile == TileCoordinates(zoom: 16, column: 35_204, row: 21_494))
        #expect(tile.description == "16/35204/21494")
        for text in [
            "", "00", "01", "+1", "-0", "1.0", " 1", "1 ", "0x1", "1e1", "١", "１", "9999999", "1\u{0301}", "..", "%31",
            String(repeating: "1", count: 100_000),
        ] {
            #expect(TileCoordinates(zoom: text, column: "0", row: "0") == nil, "\(text.prefix(20))")
            #expect(TileCoordinates(zoom: "19", column: text, row: "0") == nil, "\(text.prefix(20))")
            #expect(TileCoordinates(zoom: "19", column: "0", row: text) == nil, "\(text.prefix(20))")
        }
    }

    @Test("MBTiles counts rows from the south", arguments: [(0, 0, 0), (1, 0, 1), (16, 21_494, 44_041)])
    func south(zoom: Int, row: Int, expected: Int) throws {
        #expect(try #require(TileCoordinates(zoom: zoom, column: 0, row: row)).rowFromSouth == expected)
    }

    @Test(
        "an area is read if it is one",
        arguments: [
            ("-0.5,51.2,0.4,51.8", true), ("-180,-85.0511,180,85.0511", true), (" 1 , 2 , 3 , 4 ", true),
            ("0.4,51.2,-0.5,51.8", false), ("0,52,1,51", false), ("1,2,3", false), ("1,2,3,4,5", false), ("", false),
            ("a,b,c,d", false), ("nan,0,1,1", false), ("-inf,0,1,1", false), ("-181,0,1,1", false), ("0,0,1,91", false),
        ])
    func bounds(text: String, isArea: Bool) { #expect((TileBounds(text) != nil) == isArea) }
}
