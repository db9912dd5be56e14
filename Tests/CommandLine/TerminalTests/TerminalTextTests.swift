import Foundation
import Terminal
import Testing

@Suite("Untrusted text on a terminal")
struct TerminalTextTests {
    @Test(
        "characters that move the cursor, hide or reverse text, or break lines are made visible",
        arguments: [
            ("Café Sprocket", "Café Sprocket"), ("駐輪場 🚲", "駐輪場 🚲"), ("🚴🏽‍♀️ café", "🚴🏽‍♀️ café"),
            ("a\u{1B}[2Jb", "a␛[2Jb"), ("a\u{1B}]0;title\u{07}b", "a␛]0;title␇b"),
            ("forged\rAll is well", "forged␍All is well"),
            ("one\ntwo\tthree", "one␊two␉three"), ("a\u{7F}b\u{9B}2Jc\u{0}", "a␡b�2Jc␀"),
            ("safe\u{202E}dab\u{202C}", "safe�dab�"), ("\u{2066}x\u{2069}\u{200E}", "�x��"),
            ("pay\u{200B}pal\u{FEFF}\u{200D}", "pay�pal��"), ("a\u{2028}b\u{2029}c\u{85}d", "a�b�c�d"),
            ("tag\u{E0041}", "tag�"), ("", ""),
        ])
    func line(text: String, shown: String) { #expect(TerminalText.line(text) == shown) }

    @Test("the program’s own line breaks are kept if it writes several lines")
    func lines() { #expect(TerminalText.lines("a\nb\rc") == "a\nb␍c") }

    @Test("only the program’s own colours are kept")
    func painted() {
        let style = Style(isColoured: true)
        let mine = style.paint("MISSING \u{1B}[32m", .alarm)
        #expect(mine == "\u{1B}[31mMISSING ␛[32m\u{1B}[0m")
        #expect(TerminalText.painted("\(mine) \u{1B}[8mhidden\u{1B}\u{202E}") == "\(mine) ␛[8mhidden␛�")
    }

    @Test("a cell can neither colour its table nor begin a row")
    func table() {
        let table = Table(["A", "B"], [["x\u{1B}[31m\ny", "1"]])
        #expect(table.lines() == ["A         B", "x␛[31m␊y  1"])
    }

    @Test("JSON keeps its meaning, and cannot control a terminal")
    func json() throws {
        let value = ["name": "a\u{1B}[2J\u{9B}2J\u{202E}b\u{2028}c\u{E0041}d\n駐輪場"]
        let text = TerminalText.json(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
        #expect(text.contains(#"\u009b2J\u202eb\u2028c\udb40\udc41d"#))
        #expect(TerminalText.line(text) == text)
        #expect(try JSONDecoder().decode([String: String].self, from: Data(text.utf8)) == value)
    }
}
