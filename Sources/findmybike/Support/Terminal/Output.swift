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
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    static func line(_ text: String = "") {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    /// A remark that is not part of the output.
    static func remark(_ text: String) {
        FileHandle.standardError.write(Data("findmybike: \(text)\n".utf8))
    }

    /// One JSON value on a line of its own, keys in a fixed order.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// What was done: for people, or as JSON.
    static func done(_ text: String, _ value: [String: String], _ options: OutputOptions) throws {
        if options.json { try json(value) } else { line(text) }
    }

    /// - Parameter tone: how a cell is coloured, by its text.
    static func table(
        _ header: [String], _ rows: [[String]], tone: @escaping @Sendable (String) -> Tone? = { _ in nil }
    ) {
        Table(header, rows, tone: tone).lines(width: width, style: style).forEach { line($0) }
    }

    /// The columns at hand; nil where lines may be of any length.
    static var width: Int? { TerminalSize.now(environment)?.columns }
    static var style: Style { Style(environment, isTerminal: isTerminal) }

    private static let environment = ProcessInfo.processInfo.environment
}
