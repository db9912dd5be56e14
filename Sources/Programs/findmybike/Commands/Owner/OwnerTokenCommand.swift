import ArgumentParser
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient

struct OwnerTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Manage your tokens: one for each device, with only the rights it needs.",
        subcommands: [Create.self, List.self, Revoke.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make another token.",
            discussion: "  findmybike owner token create phone --scope report --output phone.token"
        )

        @Argument(help: "The place or device where it is used, 1–64 characters.")
        var name: String

        @Option(help: "read, report (also marks bikes missing and found) or manage (everything).")
        var scope: TokenScope

        @OptionGroup var newFile: NewTokenFile
        @OptionGroup var options: CallOptions

        func run() async throws {
            let file = try newFile.checked()
            let registry = try options.connect()
            let draft = TokenDraft(name: name, scope: scope)
            let created = try await registry.createToken(draft)
            try file.create(created.token)
            try options.show(
                created.details, "The token ‘\(name)’ with the scope ‘\(scope.rawValue)’ is in \(file.path).")
        }
    }

    struct List: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "List your tokens.",
            discussion: """
                The last use is recorded at most once an hour.
                  findmybike owner token list
                """)

        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let tokens = try await RegistryConnection.all { try await registry.tokens(after: $0) }
            let short = ShortIdentifiers(tokens.map { "\($0.id)" })
            try options.output.list(tokens, ["ID", "NAME", "SCOPE", "CREATED", "LAST USED"]) {
                [short.text("\($0.id)"), $0.name, $0.scope.rawValue, $0.created.local, $0.lastUsed?.local ?? "never"]
            }
        }
    }

    struct Revoke: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a token: anyone who has it is locked out immediately.",
            discussion: "  findmybike owner token revoke phone"
        )

        @Argument(
            help: "The token’s name, or the beginning of its identifier: ‘findmybike owner token list’ shows both.")
        var token: String

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let tokens = try await RegistryConnection.all { try await registry.tokens(after: $0) }
            let token = try Choice(noun: "token", list: "findmybike owner token list", id: { "\($0.id)" }) { [$0.name] }
                .pick(token, among: tokens)
            try confirmation.confirm("Lock out anyone who has the token ‘\(token.name)’ (\(token.id))?")
            try await registry.revokeToken(token.id)
            try options.show(["revoked": "\(token.id)"], "The token ‘\(token.name)’ was revoked.")
        }
    }
}
