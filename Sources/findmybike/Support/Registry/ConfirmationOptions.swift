import ArgumentParser
import Foundation

/// Asks before what cannot be undone.
struct ConfirmationOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do it without asking.")
    var yes = false

    /// Returns where the person wants it. Questions go to standard error, so that standard output holds the result alone.
    func confirm(_ question: String) throws(CommandFailure) {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(.usage, "\(question) Nobody is here to answer: add --yes to do it")
        }
        FileHandle.standardError.write(Data("\(question) [y/N] ".utf8))
        guard readLine()?.lowercased().hasPrefix("y") == true else {
            throw CommandFailure(.usage, "nothing was done")
        }
    }
}

/// The code that confirms what a thief with the owner’s computer must not do.
struct RecoveryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("One of your recovery codes; needed while a bike is missing.", valueName: "code"))
    var recoveryCode: String?
}
