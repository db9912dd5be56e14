import ArgumentParser
import Foundation
import Terminal

/// Options of every command that shows something.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON, for programs.")
    var json = false

    /// Prints text for people, or a value as one line of JSON.
    func show(_ text: String, _ value: some Encodable) throws {
        guard json else { return Console.output.lines(text) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        Console.output.json(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// Asks before what cannot be undone.
struct ConfirmationOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do it without asking.")
    var yes = false

    /// Nobody said yes.
    struct Refusal: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    func confirm(_ question: String) throws(Refusal) {
        guard !yes else { return }
        switch Confirmation.ask(question) {
        case .given: return
        case .refused: throw Refusal("nothing was done")
        case .unasked: throw Refusal("\(question) No terminal to confirm on: add --yes")
        }
    }
}
