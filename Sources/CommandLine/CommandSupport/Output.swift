public import ArgumentParser
import Foundation
public import Terminal

/// Options of every command that prints a result.
public struct OutputOptions: ParsableArguments, Sendable {
    @Flag(name: .long, help: "Print JSON, for programs.")
    public var json = false

    public init() {}

    /// Prints a value as one line of JSON, or a line for people.
    public func show(_ value: some Encodable, _ line: String) throws {
        try show(value, lines: [line])
    }

    /// Prints a value as one line of JSON, or lines for people.
    public func show(_ value: some Encodable, lines: [String]) throws {
        if json { try Output.json(value) } else { lines.forEach { Output.line($0) } }
    }

    /// Prints a list as lines of JSON, one for each item, or as a table for people.
    ///
    /// - Parameters:
    ///   - header: the titles of the columns.
    ///   - row: the cells of an item, as many as the header has.
    ///   - none: printed instead of an empty table.
    public func list<Item: Encodable>(
        _ items: some Sequence<Item>, none: String? = nil, _ header: [String], _ row: (Item) -> [String]
    ) throws {
        if json { return try items.forEach { try Output.json($0) } }
        let rows = items.map(row)
        if let none, rows.isEmpty { return Output.line(none) }
        Output.table(header, rows)
    }
}

/// Prints results to standard output and remarks to standard error.
public enum Output {
    /// Whether standard output is a terminal.
    public static var isTerminal: Bool { Console.output.isTerminal }

    /// Prints a line; line breaks in the text are shown as characters.
    public static func line(_ text: String = "") { Console.output.line(text) }

    /// Announces a secret that is printed once.
    ///
    /// - Parameter revocation: what was made and how to revoke it; printed if the secret could not be printed.
    public static func secretFollows(ifLost revocation: String) { ExecutionEnvironment.current.note(loss: revocation) }

    /// Prints lines with the colours of ``style``.
    public static func painted(_ lines: [String]) { Console.output.painted(lines) }

    /// Prints a remark that is not part of the result to standard error, after the program's name.
    public static func remark(_ text: String) { Console.error.line("\(ExecutionEnvironment.current.program): \(text)") }

    /// Prints a warning, unless this command has printed it before.
    public static func warn(_ text: String) {
        if ExecutionEnvironment.current.isNew(text) { remark("warning: \(text)") }
    }

    /// Prints one JSON value on one line, with the keys in a fixed order.
    public static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Console.output.json(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Prints lines with a name and a value; a nil value has no line.
    ///
    /// - Parameter width: the columns for the name and the space after it.
    public static func details(_ rows: [(name: String, value: String?)], width: Int = 12) {
        for case (let name, let value?) in rows { line(name.padded(toColumns: width) + value) }
    }

    /// Prints a table that fits into the terminal.
    public static func table(_ header: [String], _ rows: [[String]]) { show(Table(header, rows)) }

    /// Prints a table that fits into the terminal, with its colours.
    public static func table(_ header: [String], cells: [[Table.Cell]]) { show(Table(header, cells: cells)) }

    private static func show(_ table: Table) { painted(table.lines(width: width, style: style)) }

    /// The available columns; nil for unlimited lines.
    public static var width: Int? { TerminalSize.now(environment)?.columns }
    /// The colours that standard output can show.
    public static var style: Style { Style(environment, isTerminal: isTerminal) }

    private static var environment: [String: String] { ExecutionEnvironment.current.variables }
}
