import ArgumentParser
import Foundation
import Terminal

/// Options of every command that shows something.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON, for programs.")
    var json = false
}

/// Standard output, and standard error for remarks.
enum Output {
    /// Whether a person reads along.
    static var isTerminal: Bool { Console.output.isTerminal }

    static func line(_ text: String = "") { Console.output.line(text) }

    /// Lines with colours of ``style``.
    static func painted(_ lines: [String]) { Console.output.painted(lines) }

    /// A remark that is not part of the output.
    static func remark(_ text: String) { Console.error.line("findmybike: \(text)") }

    /// One JSON value on a line of its own, keys in a fixed order.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Console.output.json(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// What was done: for people, or as JSON.
    static func done(_ text: String, _ value: [String: String], _ options: OutputOptions) throws {
        if options.json { try json(value) } else { line(text) }
    }

    /// - Parameter tone: how a cell is coloured, by its text.
    static func table(
        _ header: [String], _ rows: [[String]], tone: @escaping @Sendable (String) -> Tone? = { _ in nil }
    ) {
        painted(Table(header, rows, tone: tone).lines(width: width, style: style))
    }

    /// The columns at hand; nil where lines may be of any length.
    static var width: Int? { TerminalSize.now(environment)?.columns }
    static var style: Style { Style(environment, isTerminal: isTerminal) }

    private static let environment = ProcessInfo.processInfo.environment
}
