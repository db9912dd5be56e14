import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OperatorPasskeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passkey",
        abstract: "Your passkeys as an operator.",
        subcommands: [List.self, Remove.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List your passkeys as an operator.",
            discussion: """
                Browsers make passkeys, on the operator’s desk. A passkey works only at the host for which it was made.
                  findmybike operator passkey list
                """)

        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.connect().deskPasskeysChoice().show(options)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a passkey, and sign out the browsers that it has signed in.",
            discussion: "  findmybike operator passkey remove key"
        )

        @Argument(
            help: "The passkey’s name, or its identifier’s beginning: ‘findmybike operator passkey list’ shows both.")
        var passkey: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            try await registry.deskPasskeysChoice().remove(
                passkey, confirmation, options, by: registry.removeDeskPasskey)
        }
    }
}

extension RegistryConnection {
    fileprivate func deskPasskeysChoice() async throws -> PasskeyChoice {
        PasskeyChoice(passkeys: try await deskPasskeys().items, list: "findmybike operator passkey list")
    }
}
