import Syntax

/// A table of text, as wide as the user's terminal allows.
///
/// If a row is too long, its widest cells wrap at spaces: nothing is cut, so that identifiers can be copied. If that is
/// not enough, each row becomes a block with one line per cell.
public struct Table: Sendable {
    private let header: [String]
    private let rows: [[Cell]]

    /// A text of the table.
    public struct Cell: Hashable, Sendable {
        public let text: String
        /// What the text means for its reader; nil for nothing special. It does not follow from the text: people choose some
        /// of the texts, such as names.
        public let tone: Tone?

        public init(_ text: String, _ tone: Tone? = nil) {
            self.text = text
            self.tone = tone
        }
    }

    /// - Parameters:
    ///   - header: the titles of the columns.
    ///   - rows: the rows, each with as many texts as the header.
    public init(_ header: [String], _ rows: [[String]]) {
        self.init(header, cells: rows.map { row in row.map { Cell($0) } })
    }

    /// - Parameters:
    ///   - header: the titles of the columns.
    ///   - cells: the rows, each with as many cells as the header.
    public init(_ header: [String], cells: [[Cell]]) {
        self.header = header
        rows = cells.map { row in row.map { Cell(TerminalText.line($0.text), $0.tone) } }
    }

    /// The lines of the table, without their ends.
    ///
    /// - Parameter width: the available columns of the terminal; nil for unlimited lines.
    public func lines(width: Int? = nil, style: Style = .plain) -> [String] {
        let all = [header] + rows.map { row in row.map(\.text) }
        let widths = header.indices.map { column in all.map { $0[column].columns }.max() ?? 0 }
        guard let width else { return drawn(widths, style) }
        let leastWidths = header.indices.map { column in all.map { Self.longestWord($0[column]) }.max() ?? 0 }
        guard let fitting = Self.narrowed(widths, notBelow: leastWidths, into: width) else { return blocks(style) }
        return drawn(fitting, style)
    }

    /// The space between two columns.
    private static let gap = "  "

    /// Narrows the widest columns that can be narrowed; nil if that is not enough.
    private static func narrowed(_ natural: [Int], notBelow least: [Int], into width: Int) -> [Int]? {
        var widths = natural
        let room = width - gap.count * (natural.count - 1)
        while widths.reduce(0, +) > room {
            let reducible = widths.indices.filter { widths[$0] > least[$0] }
            guard let widest = reducible.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[widest] -= 1
        }
        return widths
    }

    /// The table with columns of these widths.
    private func drawn(_ widths: [Int], _ style: Style) -> [String] {
        draw(header, widths) { text, _ in style.paint(text, .heading) }
            + rows.flatMap { row in draw(row.map(\.text), widths) { style.paint($0, row[$1].tone) } }
    }

    /// One row, whose cells may take several lines.
    ///
    /// - Parameter paint: returns a piece of text in the colour for its column.
    private func draw(_ row: [String], _ widths: [Int], _ paint: (String, Int) -> String) -> [String] {
        let cells = zip(row, widths).map { Self.wrapped($0, $1) }
        let height = cells.map(\.count).max() ?? 0
        return (0..<height).map { line in
            let pieces = cells.map { line < $0.count ? $0[line] : "" }
            let last = pieces.lastIndex { !$0.isEmpty } ?? 0
            return (0...last).map { column in
                let padding = column == last ? 0 : widths[column] - pieces[column].columns
                return paint(pieces[column], column) + String(repeating: " ", count: max(0, padding))
            }.joined(separator: Self.gap)
        }
    }

    /// Each row as a block with one line per cell, and an empty line between blocks.
    private func blocks(_ style: Style) -> [String] {
        let width = header.map(\.columns).max() ?? 0
        var lines: [String] = []
        for row in rows {
            if !lines.isEmpty { lines.append("") }
            for (name, cell) in zip(header, row) where !cell.text.isEmpty {
                let title = style.paint(name, .heading) + String(repeating: " ", count: width - name.columns)
                lines.append(title + Self.gap + style.paint(cell.text, cell.tone))
            }
        }
        return lines
    }

    /// The columns of the longest part of a text that is not broken.
    private static func longestWord(_ text: String) -> Int {
        words(text).map(\.columns).max() ?? 0
    }

    /// The text in lines of at most this width, if its words allow.
    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        guard text.columns > width else { return [text] }
        var lines: [String] = []
        for word in words(text) {
            if let last = lines.last, last.columns + 1 + word.columns <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(word)
            }
        }
        return lines
    }

    /// The parts of the text that are not broken across lines: a number stays with its unit.
    private static func words(_ text: String) -> [String] {
        text.split(at: " ").reduce(into: []) { words, word in
            if units.contains(String(word)), let last = words.last, Double(last) != nil {
                words[words.count - 1] = "\(last) \(word)"
            } else {
                words.append(String(word))
            }
        }
    }

    private static let units: Set = ["s", "min", "h", "d", "m", "dBm"]
}
