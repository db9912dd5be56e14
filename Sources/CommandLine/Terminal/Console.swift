public import Foundation
private import Glibc

/// Standard output and standard error for people. All text is printed here, so this is also where it is made harmless
/// (``TerminalText``).
public enum Console: Sendable {
    case output, error

    /// Whether the output is a terminal.
    public var isTerminal: Bool { ExecutionEnvironment.current.streams.isTerminal(descriptor) }

    /// Prints a line. Line breaks in the text are shown as characters, so that the text cannot forge a line.
    public func line(_ text: String = "") { write(TerminalText.line(text)) }

    /// Prints text of several lines; the line breaks must be this program's own.
    public func lines(_ text: String) { write(TerminalText.lines(text)) }

    /// Prints lines with the colours of ``Style``.
    public func painted(_ lines: [String]) { lines.forEach { write(TerminalText.painted($0)) } }

    /// Prints JSON without changing its meaning.
    public func json(_ text: String) { write(TerminalText.json(text)) }

    /// Prints a prompt, after which the user types.
    public func prompt(_ text: String) { write(TerminalText.line(text) + " ", end: "") }

    /// Moves to the line above and erases it (ECMA-48 CUU, EL); only for a terminal.
    public func eraseLineAbove() { write("\r\u{1B}[1A\u{1B}[2K", end: "") }

    /// Prints bytes unchanged: a file for a program, or the control characters of a display.
    public func data(_ data: Data) { ExecutionEnvironment.current.write(self, data) }

    private func write(_ text: String, end: String = "\n") { data(Data((text + end).utf8)) }

    var descriptor: Int32 {
        switch self {
        case .output: STDOUT_FILENO
        case .error: STDERR_FILENO
        }
    }
}

/// The size of the terminal at standard output.
public struct TerminalSize: Hashable, Sendable {
    public var columns: Int
    public var rows: Int

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The terminal's size; `COLUMNS` overrides it, even without a terminal. Nil if it is unknown.
    public static func now(_ environment: [String: String]) -> TerminalSize? {
        var size = winsize()
        let isTold = Console.output.isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        let asked = environment["COLUMNS"].flatMap { Int($0) }
        let columns = [asked, isTold ? Int(size.ws_col) : nil].compactMap(\.self).first { $0 > 0 }
        return columns.map { TerminalSize(columns: $0, rows: size.ws_row > 0 ? Int(size.ws_row) : 24) }
    }
}
