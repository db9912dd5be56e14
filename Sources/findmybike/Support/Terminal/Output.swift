import ArgumentParser
import Foundation

/// Options of every command that shows something.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON, for programs.")
    var json = false
}

/// Standard output.
enum Output {
    static func line(_ text: String = "") {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    /// One JSON value on a line of its own, keys in a fixed order.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Columns at the width of their longest cell.
    static func table(_ header: [String], _ rows: [[String]]) {
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
        for row in [header] + rows {
            let cells = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            line(cells.joined(separator: "  ").trimmingCharacters(in: .whitespaces))
        }
    }
}
