import Foundation
import Terminal

/// Lines at the bottom of a terminal that are drawn over themselves.
struct LiveScreen {
    private var height = 0

    /// Draws the lines in place of the last ones, cut to the terminal's size: a line that wrapped would be in the way.
    mutating func draw(_ lines: [String]) {
        let size = TerminalSize.now(ProcessInfo.processInfo.environment) ?? TerminalSize(columns: 80, rows: 24)
        let shown = lines.prefix(max(1, size.rows - 1)).map { TerminalText.line($0).cut(toColumns: size.columns) }
        // To the first column of the first line of the last drawing, and clear to the end of the screen (ECMA-48 CUU, ED):
        // a key that was typed meanwhile, as Ctrl-C, is shown where the cursor stands, and moves it.
        let up = height > 0 ? "\r\u{1B}[\(height)A\u{1B}[J" : "\r"
        FileHandle.standardOutput.write(Data((up + shown.joined(separator: "\n") + "\n").utf8))
        height = shown.count
    }
}
