private import Glibc

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
