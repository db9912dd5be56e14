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
            let passkeys = try await options.connect().deskPasskeys().items
            let short = ShortIdentifiers(passkeys.map { "\($0.id)" })
            try options.output.list(passkeys, ["ID", "NAME", "HOST", "CREATED", "LAST USED"]) {
                [
                    short.text("\($0.id)"), $0.name, $0.relyingParty, $0.created.local,
                    $0.lastUsed?.local ?? "never",
                ]
            }
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
            let passkeys = try await registry.deskPasskeys().items
            let passkey = try Choice(noun: "passkey", list: "findmybike operator passkey list", id: { "\($0.id)" }) {
                [$0.name]
            }
            .pick(passkey, among: passkeys)
            try confirmation.confirm("Remove the passkey ‘\(passkey.name)’ (\(passkey.id))?")
            try await registry.removeDeskPasskey(passkey.id)
            try options.show(["removed": "\(passkey.id)"], "The passkey ‘\(passkey.name)’ is removed.")
        }
    }
}
