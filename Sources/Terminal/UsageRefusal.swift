public import ArgumentParser
import Foundation
import Settings

extension ParsableCommand {
    /// Says what is wrong with a command line, with what was probably meant, and ends the program; what is no mistake
    /// (help, a version, a status of the command’s own) is left to the argument parser.
    public static func refuse(_ error: any Error) -> Never {
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        let text = refusal(of: error, arguments: Array(ProcessInfo.processInfo.arguments.dropFirst()))
        Console.error.lines(text)
        Foundation.exit(ExitCode.validationFailure.rawValue)
    }

    /// What ``refuse(_:)`` says.
    static func refusal(of error: any Error, arguments: [String]) -> String {
        var lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first else { return "" }
        if let name = meantSubcommand(arguments) {
            lines[0] = "\(first). Did you mean ‘\(name)’?"
        } else if first.contains("is invalid for"), first.hasSuffix("<time>'") {
            lines[0] = "\(first): write it as in \(TimeInput.forms), in quotes if it has spaces"
        }
        return lines.joined(separator: "\n")
    }

    /// The whole call that a word stands for that names no subcommand; nil where there is no such word.
    private static func meantSubcommand(_ arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = self
        var names = [_commandName]
        for word in arguments {
            let below = command.configuration.subcommands
            guard !below.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = below.first(where: { $0._commandName == word || $0.configuration.aliases.contains(word) })
            else {
                return Spelling.nearest(to: word, among: below.map { $0._commandName })
                    .map { (names + [$0]).joined(separator: " ") }
            }
            (command, names) = (next, names + [word])
        }
        return nil
    }
}
