public import ArgumentParser
import Foundation
import Settings
import Terminal

extension ParsableCommand {
    /// Reports an error in a command line with the probable intention, and ends the program. The argument parser
    /// handles the rest: help, version, and statuses that a command chose.
    ///
    /// - Parameter meanings: complete commands by what people type instead, such as `bike add` for
    ///   `findmybike bike register`.
    public static func refuse(_ error: any Error, meanings: [String: String] = [:]) -> Never {
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        let text = refusal(
            of: error, arguments: Array(ProcessInfo.processInfo.arguments.dropFirst()),
            meanings: meanings)
        Console.error.lines(text)
        Foundation.exit(ExitCode.validationFailure.rawValue)
    }

    /// The message of ``refuse(_:meanings:)``.
    static func refusal(of error: any Error, arguments: [String], meanings: [String: String] = [:]) -> String {
        var lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first else { return "" }
        if let name = meant(arguments, meanings) ?? meantSubcommand(arguments) {
            lines[0] = "\(first). Did you mean ‘\(name)’?"
        } else if first.contains("is invalid for"), let form = form(first) {
            lines[0] = "\(first): \(form)"
        }
        return lines.joined(separator: "\n")
    }

    /// The command that the first words mean, by the longest match.
    private static func meant(_ arguments: [String], _ meanings: [String: String]) -> String? {
        let words = arguments.prefix { !$0.hasPrefix("-") }
        return stride(from: words.count, to: 0, by: -1).lazy
            .compactMap { meanings[words.prefix($0).joined(separator: " ")] }.first
    }

    /// The format of a value; nil if the message contains it, or if there is none.
    private static func form(_ message: String) -> String? {
        if message.contains("--hold-until") {
            return "write a future date, as in 2027-06-30, or \"in 30 days\" in quotes"
        }
        if message.contains("--colour"), message.contains(",") {
            return "repeat the option for each colour, as in --colour red --colour black"
        }
        let forms = [
            "<time>'": "write it in quotes, as in \(TimeInput.forms)", "<date>'": "write it as in 2027-06-30",
            "<from-to>'": "write it as in 22:00-07:00", "<degrees>'": "write it with a point, as in 51.5007",
            "<quiet-hours>'": "write it as in 22:00-07:00",
        ]
        return forms.first { message.hasSuffix($0.key) }?.value
    }

    /// The complete command that an unknown subcommand probably means.
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
