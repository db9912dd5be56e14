import ArgumentParser
import Settings
import Syntax
import Terminal

extension ConfiguredProgram {
    /// Prints the argument parser's message for an error: help, version, or an error in the command line with the
    /// probable intention. Prints nothing for a status that a command chose.
    ///
    /// - Returns: the exit status.
    static func explain(_ error: any Error, of arguments: [String]) -> Int32 {
        let status = exitCode(for: error)
        let text = status == .validationFailure ? refusal(error, of: arguments) : fullMessage(for: error)
        if !text.isEmpty { (status.isSuccess ? Console.output : .error).lines(text) }
        return status.rawValue
    }

    /// The parser's message for an error in a command line, whose first line also gets the probable intention, or the
    /// format of the invalid value.
    private static func refusal(_ error: any Error, of arguments: [String]) -> String {
        var lines = fullMessage(for: error).split(at: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first else { return "" }
        if let command = meantCommand(arguments) {
            lines[0] = "\(first). Did you mean ‘\(command)’?"
        } else if let unknown = UnknownSubcommand(arguments, of: self) {
            lines[0] = unknown.nearest.map { "\(first). Did you mean ‘\($0)’?" } ?? "Error: \(unknown.text)"
        } else if let value = InvalidValue(first), let advice = valueAdvice.first(where: { $0.matches(value) }) {
            lines[0] = "\(first): \(advice.text)"
        }
        return lines.joined(separator: "\n")
    }

    /// The command in ``meanings`` that the most of the first words mean; nil if there is none.
    private static func meantCommand(_ arguments: [String]) -> String? {
        let words = arguments.prefix { !$0.begins(with: "-") }
        for count in stride(from: words.count, to: 0, by: -1) {
            if let command = meanings[words.prefix(count).joined(separator: " ")] { return command }
        }
        return nil
    }
}

/// An unknown word in the place of a subcommand.
private struct UnknownSubcommand {
    /// The error, with all possible subcommands.
    let text: String
    /// The most similar complete command; nil if none is similar.
    let nearest: String?

    /// Follows the arguments from command to subcommand, up to the first unknown word.
    ///
    /// - Returns: nil if the arguments name a command that has no subcommands, or name none.
    init?(_ arguments: [String], of root: any ParsableCommand.Type) {
        var command = root
        var names = [root._commandName]
        for word in arguments {
            let below = command.configuration.subcommands
            guard !below.isEmpty, !word.begins(with: "-") else { return nil }
            guard let next = below.first(where: { $0._commandName == word || $0.configuration.aliases.contains(word) })
            else {
                let known = below.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
                let path = names.joined(separator: " ")
                text = "‘\(path) \(word)’ does not exist; ‘\(path)’ has \(known.joined(separator: ", "))"
                nearest = Spelling.nearest(to: word, among: known).map { "\(path) \($0)" }
                return
            }
            (command, names) = (next, names + [word])
        }
        return nil
    }
}
