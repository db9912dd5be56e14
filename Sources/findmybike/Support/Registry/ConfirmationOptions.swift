import ArgumentParser
import Terminal

/// Asks before what cannot be undone.
struct ConfirmationOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do it without asking.")
    var yes = false

    /// Returns where the person wants it.
    func confirm(_ question: String) throws(CommandFailure) {
        guard !yes else { return }
        switch Confirmation.ask(question) {
        case .given: return
        case .refused: throw CommandFailure(.usage, "nothing was done")
        case .unasked: throw CommandFailure(.usage, "\(question) No terminal to confirm on: add --yes")
        }
    }
}

/// The code that confirms what a thief with the owner’s computer must not do.
struct RecoveryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("One of your recovery codes; needed while a bike is missing.", valueName: "code"))
    var recoveryCode: String?
}
