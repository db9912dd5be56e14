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

    /// Prints a line of JSON without changing its meaning.
    public func json(_ text: String) { write(TerminalText.json(text)) }

    /// Prints a prompt, after which the user types.
    public func prompt(_ text: String) { write(TerminalText.line(text) + " ", end: "") }

    /// Moves to the line above and erases it (ECMA-48 CUU, EL); only for a terminal.
    public func eraseLineAbove() { write("\r\u{1B}[1A\u{1B}[2K", end: "") }

    /// Prints bytes unchanged: a file for a program, or the control characters of a display.
    public func data(_ data: Data) { ExecutionEnvironment.current.write(self, data) }

    /// Prints text that is safe already.
    private func write(_ text: String, end: String = "\n") { data(Data((text + end).utf8)) }

    /// The descriptor of the stream, 1 or 2.
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

    /// The rows of a terminal that does not know how many it has.
    private static let usualRows = 24

    /// The terminal's size; `COLUMNS` overrides its width, even without a terminal. Nil if the width is unknown.
    public static func now(_ environment: [String: String]) -> TerminalSize? {
        var size = winsize()
        let isKnown = Console.output.isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        let wished = environment["COLUMNS"].flatMap { Int($0) } ?? 0
        let actual = isKnown ? Int(size.ws_col) : 0
        let columns = wished > 0 ? wished : actual
        guard columns > 0 else { return nil }
        return TerminalSize(columns: columns, rows: size.ws_row > 0 ? Int(size.ws_row) : usualRows)
    }
}
