import Foundation

/// Lines at the bottom of a terminal that are drawn over themselves.
struct LiveScreen {
    private var height = 0

    /// Draws the lines in place of the last ones, cut to the terminal's size: a line that wrapped would be in the way.
    mutating func draw(_ lines: [String]) {
        let size = TerminalSize.now()
        let shown = lines.prefix(max(1, size.rows - 1)).map { String($0.prefix(size.columns)) }
        // Up to the first line of the last drawing, and clear to the end of the screen (ECMA-48 CUU, ED).
        let up = height > 0 ? "\u{1B}[\(height)A\u{1B}[J" : ""
        FileHandle.standardOutput.write(Data((up + shown.joined(separator: "\n") + "\n").utf8))
        height = shown.count
    }
}

/// The size of the terminal at standard output, 80 × 24 where nobody knows.
struct TerminalSize {
    var columns = 80
    var rows = 24

    static func now() -> TerminalSize {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize()
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
