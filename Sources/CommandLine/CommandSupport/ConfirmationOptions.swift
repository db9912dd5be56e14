public import ArgumentParser
import Syntax
import Terminal

/// Asks before an action that cannot be undone.
public struct ConfirmationOptions: ParsableArguments, Sendable {
    @Flag(name: .shortAndLong, help: "Do it without asking.")
    public var yes = false

    public init() {}

    /// Returns if the user confirms. The prompt goes to standard error, because standard output contains only the
    /// result.
    ///
    /// - Parameter question: the action and its consequences, as a question in one line.
    /// - Throws: a failure with ``ExitStatus/usage`` if the answer is not yes, or if there is no terminal to ask at.
    public func confirm(_ question: String) throws(CommandFailure) {
        guard !yes else { return }
        guard StandardInput.isTerminal else {
            throw CommandFailure(.usage, "\(question) No terminal to confirm on: add --yes")
        }
        Console.error.prompt("\(question) [y/N]")
        guard StandardInput.line()?.lowercased().begins(with: "y") == true else {
            throw CommandFailure(.usage, "nothing was done")
        }
    }
}
