import MapTiles
import Testing

@Suite("The address of a tile server")
struct TileTemplateTests {
    @Test(
        "each tile has an address",
        arguments: [
            ("https://tile.example.org/{z}/{x}/{y}.png", "https://tile.example.org/3/4/5.png"),
            ("https://tile.example.org/t?y={y}&x={x}&z={z}&key=a", "https://tile.example.org/t?y=5&x=4&z=3&key=a"),
            ("http://127.0.0.1:8081/{z}/{x}/{y}", "http://127.0.0.1:8081/3/4/5"),
            ("http://[::1]/{z}/{x}/{y}", "http://[::1]/3/4/5"),
            ("http://localhost:80/{z}{x}{y}", "http://localhost:80/345"),
        ])
    func address(template: String, url: String) throws {
        let tile = try #require(TileCoordinates(zoom: 3, column: 4, row: 5))
        #expect(try TileTemplate(template).url(of: tile) == url)
    }

    @Test(
        "other addresses are refused, without quoting them",
        arguments: [
            ("", "https://"), ("tile.example.org/{z}/{x}/{y}", "https://"), ("file:///{z}/{x}/{y}", "https://"),
            ("http://tile.example.org/{z}/{x}/{y}", "https://"),
            ("http://localhost.example.org/{z}/{x}/{y}", "https://"),
            ("http://127.0.0.1.example.org/{z}/{x}/{y}", "https://"),
            ("http://127.0.0.1@example.org/{z}/{x}/{y}", "without a user"),
            ("https://{x}.example.org/{z}/{y}", "placeholders"), ("https:///{z}/{x}/{y}", "name one server"),
            ("https://tile.example.org", "path"), ("https://tile.example.org/{z}/{x}", "each of"),
            ("https://tile.example.org/{z}/{x}/{y}/{y}", "each of"),
            ("https://tile.example.org/{z}/{x}/{-y}", "other placeholders"),
            ("https://tile.example.org/{z}/{x}/{y}{r}", "other placeholders"),
            ("https://tile.example.org/{z}/{x}/{y", "other placeholders"),
            ("https://tile.example.org/{z}/{x}/{y}}", "other placeholders"),
            ("https://tile.example.org/{z}/{x}/{y}#a", "‘#’"), ("https://tile.example.org/{z}/{x}/{y} ", "ASCII"),
            ("https://tile.example.org/{z}/{x}/{y}\r\nX: y", "ASCII"),
            ("https://täle.example.org/{z}/{x}/{y}", "ASCII"),
        ])
    func refused(template: String, reason: String) {
        let error = #expect(throws: TileTemplate.Refusal.self) { try TileTemplate(template) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(template.isEmpty || error?.description.contains("example.org") == false)
    }

    @Test(
        "a format is found by the first bytes",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], .png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
            (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), .webp), ([], nil), (Array("RIFF".utf8), nil),
            (Array("RIFFxxxxWAVE".utf8), nil), (Array("<svg/>".utf8), nil), (Array("GIF89a".utf8), nil),
            ([0x1F, 0x8B, 8, 0], nil),
        ] as [([UInt8], TileFormat?)])
    func format(bytes: [UInt8], format: TileFormat?) {
        #expect(TileFormat(signatureOf: bytes) == format)
        #expect(Tile(bytes)?.format == format)
    }

    @Test("a tile has at most 512 kB")
    func size() {
        let start: [UInt8] = [0xFF, 0xD8, 0xFF]
        #expect(Tile(start + Array(repeating: 0, count: Tile.maximumSize - 3)) != nil)
        #expect(Tile(start + Array(repeating: 0, count: Tile.maximumSize - 2)) == nil)
    }

    @Test(
        "an attribution becomes plain text",
        arguments: [
            (
                #"<a href="https://osm.org/copyright" target=_blank>&copy; OpenStreetMap</a> contributors"#,
                "© OpenStreetMap contributors"
            ),
            ("A\n\tB\u{0}\u{1B}[31m C", "A B [31m C"), ("<script>alert(1)</script>", "alert(1)"), ("a < b", "a"),
            ("&lt;b&gt; &amp;copy;", "<b> &copy;"), ("", ""), ("  ", ""), ("a > b", "a > b"),
        ])
    func attribution(html: String, text: String) {
        #expect(Attribution.plain(html) == text)
        #expect(Attribution.plain(String(repeating: "é", count: 1_000_000)).count == Attribution.maximumLength)
    }
}
