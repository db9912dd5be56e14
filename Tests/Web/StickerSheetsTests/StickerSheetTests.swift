import Foundation
import StickerSheets
import TestSupport
import Testing

@Suite("Sheets of stickers")
struct StickerSheetTests {
    private static let link = "https://registry.example.org/found/4FQK-M2XP-V9TD"

    /// What another program reads in a QR code, drawn with four pixels for a module.
    private static func reading(_ code: QRCode) async throws -> String {
        let scale = 4
        var picture = Data("P5 \(code.width * scale) \(code.width * scale) 255\n".utf8)
        for y in 0..<code.width * scale {
            for x in 0..<code.width * scale {
                let isDark = code.isDark(x: x / scale - QRCode.quietZone, y: y / scale - QRCode.quietZone)
                picture.append(isDark ? 0 : 255)
            }
        }
        let folder = try TemporaryFolder()
        let file = folder.file("code.pgm")
        try picture.write(to: URL(fileURLWithPath: file))
        let result = try await BuiltProgram(path: "/usr/bin/zbarimg").run(["--quiet", "--raw", file])
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    @Test(
        "another program reads what was encoded",
        arguments: ["A", link, "http://[2001:db8::1]:8080/found/4FQK", String(repeating: "x", count: 300)])
    func readable(text: String) async throws {
        let code = try #require(QRCode(text))
        #expect(try await Self.reading(code) == text + "\n")
    }

    @Test("a text that is too long, or contains NUL, has no code")
    func refused() {
        #expect(QRCode(String(repeating: "x", count: 3000)) == nil)
        #expect(QRCode("a\0b") == nil)
        #expect(StickerSheet(code: "x", link: String(repeating: "x", count: 3000)) == nil)
    }

    @Test("a sheet has 21 stickers with the address and the code, and text is escaped")
    func sheet() throws {
        let sheet = try #require(StickerSheet(code: "4FQK-M2XP-V9TD", link: Self.link)).svg
        #expect(sheet.components(separatedBy: "<use ").count == 22)
        #expect(sheet.contains(">registry.example.org/found</text>") && sheet.contains(">4FQK-M2XP-V9TD</text>"))
        #expect(!sheet.contains("Brompton"))
        let hostile = try #require(StickerSheet(code: "<b>", link: "https://a&b/<script>")).svg
        #expect(!hostile.contains("<b>") && !hostile.contains("<script>") && hostile.contains("a&amp;b/&lt;script&gt;"))
    }
}
