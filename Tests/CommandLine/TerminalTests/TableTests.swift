import Terminal
import Testing

@Suite("Tables on a terminal")
struct TableTests {
    private let table = Table(
        ["ID", "STATION", "STATE"],
        [["4711", "Café Sprocket at the old corner", "alive"], ["4712", "駐輪場", "silent for 20 minutes"]])

    @Test("if there is room, each column is as wide as its longest cell")
    func natural() {
        let lines = [
            "ID    STATION                          STATE",
            "4711  Café Sprocket at the old corner  alive",
            "4712  駐輪場                           silent for 20 minutes",
        ]
        #expect(table.lines() == lines)
        #expect(table.lines(width: 60) == lines)
    }

    @Test("in less room the widest cells are wrapped, and no word is split")
    func wrapped() {
        #expect(
            table.lines(width: 34) == [
                "ID    STATION        STATE",
                "4711  Café Sprocket  alive",
                "      at the old",
                "      corner",
                "4712  駐輪場         silent for 20",
                "                     minutes",
            ])
        #expect(table.lines(width: 34).allSatisfy { $0.columns <= 34 })
    }

    @Test("a number stays with its unit")
    func units() {
        let table = Table(["HEARD", "AT"], [["some time and 39 s", "café"]])
        #expect(table.lines(width: 18) == ["HEARD         AT", "some time     café", "and 39 s"])
    }

    @Test("if even words are too long, each row is a block")
    func blocks() {
        #expect(
            table.lines(width: 20) == [
                "ID       4711", "STATION  Café Sprocket at the old corner", "STATE    alive", "", "ID       4712",
                "STATION  駐輪場", "STATE    silent for 20 minutes",
            ])
    }

    @Test("colours take no width")
    func coloured() {
        let table = Table(["STATE", "BIKE"], cells: [[Table.Cell("MISSING", .alarm), Table.Cell("Brompton")]])
        #expect(
            table.lines(style: Style(isColoured: true)) == [
                "\u{1B}[1mSTATE\u{1B}[0m    \u{1B}[1mBIKE\u{1B}[0m", "\u{1B}[31mMISSING\u{1B}[0m  Brompton",
            ])
    }

    @Test(
        "the width of text is its width on a terminal",
        arguments: [
            ("", 0), ("Café", 4), ("Cafe\u{301}", 4), ("駐輪場", 6), ("🚲", 2), ("👨‍👩‍👧", 2), ("☎️", 2), ("가", 2), ("ｱ", 1),
        ])
    func widths(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test("text that is too long for a line is truncated at a character, with a mark")
    func cut() {
        #expect("Brompton".cut(toColumns: 8) == "Brompton")
        #expect("Brompton".cut(toColumns: 5) == "Brom…")
        #expect("駐輪場".cut(toColumns: 4) == "駐…")
    }

    @Test("colours depend on the terminal, NO_COLOR and CLICOLOR_FORCE")
    func style() {
        #expect(Style([:], isTerminal: true).isColoured)
        #expect(!Style([:], isTerminal: false).isColoured)
        #expect(!Style(["TERM": "dumb"], isTerminal: true).isColoured)
        #expect(!Style(["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], isTerminal: true).isColoured)
        #expect(Style(["NO_COLOR": ""], isTerminal: true).isColoured)
        #expect(Style(["CLICOLOR_FORCE": "1"], isTerminal: false).isColoured)
        #expect(!Style(["CLICOLOR_FORCE": "0"], isTerminal: false).isColoured)
    }
}
