import ArgumentParser
import Foundation
import RegistryAPI
import RegistryClient

struct OwnerTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Your tokens: one for each device, none wider than it needs.",
        subcommands: [Create.self, List.self, Revoke.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make another token.",
            discussion: "  findmybike owner token create phone --scope report --output phone.token"
        )

        @Argument(help: "Where it is used, 1–64 characters.")
        var name: String

        @Option(help: "read, report (also marks bikes missing and found) or manage (everything).")
        var scope: TokenScope

        @Option(name: .shortAndLong, help: ArgumentHelp("File for the token.", valueName: "path"))
        var output: String

        @OptionGroup var options: RegistryOptions
        @OptionGroup var format: OutputOptions

        func run() async throws {
            let file = TokenFile(path: output)
            try file.checkVacant()
            let registry = try options.connect()
            let draft = TokenDraft(name: name, scope: scope)
            let key = UUID().uuidString
            let created = try await patiently { try await registry.createToken(draft, idempotencyKey: key) }
            try file.create(created.token)
            if format.json { return try Output.json(created.details) }
            Output.line("Token \(created.details.id) (\(name), \(scope.rawValue)) is in \(file.path).")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List your tokens.",
            discussion: "  findmybike owner token list")

        @OptionGroup var options: RegistryOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let registry = try options.connect()
            let tokens = try await RegistryConnection.all { cursor in
                try await patiently { try await registry.tokens(after: cursor) }
            }
            if output.json { return try tokens.forEach { try Output.json($0) } }
            Output.table(
                ["ID", "NAME", "SCOPE", "CREATED", "LAST USED"],
                tokens.map {
                    ["\($0.id)", $0.name, $0.scope.rawValue, $0.created.local, $0.lastUsed?.local ?? "never"]
                }
            )
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a token: whoever has it is locked out at once.",
            discussion: "  findmybike owner token revoke 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
        )

        @Argument(help: "The token’s identifier, as ‘findmybike owner token list’ shows it.")
        var id: TokenID

        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: RegistryOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let registry = try options.connect()
            try confirmation.confirm("Lock out whoever has token \(id)?")
            try await registry.revokeToken(id)
            try Output.done("Token \(id) is revoked.", ["revoked": "\(id)"], output)
        }
    }
}
