import Foundation
import Terminal

/// What programs read.
enum JSONText {
    /// One value on one line, keys in a fixed order.
    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Prints a value for programs, or a text for people.
    static func show(_ value: some Encodable, json: Bool, _ text: () -> String) throws {
        if json { Console.output.json(try line(value)) } else { Console.output.lines(text()) }
    }
}
