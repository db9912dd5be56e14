import Foundation
import Terminal

/// Lines at the bottom of a terminal that are redrawn in place.
struct LiveScreen {
    private var height = 0

    /// Redraws the lines, cut to the terminal's size: a wrapped line would break the redrawing.
    mutating func draw(_ lines: [String]) {
        let size = TerminalSize.now(ExecutionEnvironment.current.variables) ?? TerminalSize(columns: 80, rows: 24)
        let shown = lines.prefix(max(1, size.rows - 1)).map { TerminalText.line($0).cut(toColumns: size.columns) }
        // Return to the first column of the first line of the last drawing, and clear to the end of the screen (ECMA-48
        // CUU, ED): a key typed meanwhile, such as Ctrl-C, is echoed at the cursor and moves it.
        let up = height > 0 ? "\r\u{1B}[\(height)A\u{1B}[J" : "\r"
        Console.output.data(Data((up + shown.joined(separator: "\n") + "\n").utf8))
        height = shown.count
    }
}
