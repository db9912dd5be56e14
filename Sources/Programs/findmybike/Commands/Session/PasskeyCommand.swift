import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct PasskeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passkey",
        abstract: "Your passkeys, with which you sign in in a browser.",
        subcommands: [List.self, Remove.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List your passkeys.",
            discussion: """
                Browsers make passkeys, on the registry’s web pages. A passkey works only at the host for which it was made.
                  findmybike passkey list
                """)

        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.connect().passkeysChoice().show(options)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a passkey, and sign out the browsers that it has signed in.",
            discussion: "  findmybike passkey remove phone"
        )

        @Argument(help: "The passkey’s name, or the beginning of its identifier: ‘findmybike passkey list’ shows both.")
        var passkey: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            let registry = try options.connect()
            try await registry.passkeysChoice().remove(passkey, confirmation, options, by: registry.removePasskey)
        }
    }
}

extension RegistryConnection {
    fileprivate func passkeysChoice() async throws -> PasskeyChoice {
        PasskeyChoice(passkeys: try await passkeys().items, list: "findmybike passkey list")
    }
}
