import ArgumentParser
import Foundation

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

    static func table(_ header: [String], _ rows: [[String]]) {
        Table.lines(header, rows).forEach { line($0) }
    }
}

/// Text in columns.
enum Table {
    /// Columns at the width of their longest cell.
    static func lines(_ header: [String], _ rows: [[String]]) -> [String] {
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        return ([header] + rows).map { row in
            let cells = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}
