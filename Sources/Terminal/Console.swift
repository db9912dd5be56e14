import Foundation

/// Standard output and standard error, as people read them: the one way out for text, and so the place where it is
/// made harmless (``TerminalText``).
public enum Console: Sendable {
    case output, error

    /// Whether a person reads along.
    public var isTerminal: Bool { isatty(handle.fileDescriptor) == 1 }

    /// A line; line breaks in the text are shown as characters, so that the text cannot forge a line.
    public func line(_ text: String = "") { write(TerminalText.line(text)) }

    /// Text of several lines, as this program wrote them.
    public func lines(_ text: String) { write(TerminalText.lines(text)) }

    /// Lines with colours of ``Style``.
    public func painted(_ lines: [String]) { lines.forEach { write(TerminalText.painted($0)) } }

    /// JSON, whose meaning stays.
    public func json(_ text: String) { write(TerminalText.json(text)) }

    /// A question, which the answer is typed after.
    public func prompt(_ text: String) { write(TerminalText.line(text) + " ", end: "") }

    /// Goes back to the line above and empties it (ECMA-48 CUU, EL): for a terminal.
    public func eraseLineAbove() { write("\r\u{1B}[1A\u{1B}[2K", end: "") }

    private func write(_ text: String, end: String = "\n") { handle.write(Data((text + end).utf8)) }

    private var handle: FileHandle {
        switch self {
        case .output: .standardOutput
        case .error: .standardError
        }
    }
}
