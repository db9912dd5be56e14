import ArgumentParser
import Foundation
import RegistryAPI
import RegistryClient

struct OwnerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner",
        abstract: "Your account at the registry.",
        subcommands: [Create.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create an owner and keep its token.",
            discussion: """
                The registry asks for no name and no address. Whoever has the token acts as the owner: keep a copy.
                  findmybike owner create --registry https://registry.example.org
                """
        )

        @OptionGroup var options: RegistryOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let file = TokenFile(try options.settings())
            try file.checkVacant()
            let registry = try options.connectWithoutToken()
            let key = UUID().uuidString
            let created = try await patiently { try await registry.createOwner(idempotencyKey: key) }
            try file.create(created.token)
            if output.json {
                try Output.json(created.owner)
            } else {
                Output.line(
                    "Owner \(created.owner.id) created. Its token is in \(file.path): keep a copy of that file.")
            }
        }
    }
}
