import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OperatorListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the operators.", discussion: "  findmybike operator list")

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connect()
        let operators = try await RegistryConnection.all { try await registry.operators(after: $0) }
        if output.json { return try operators.forEach { try Output.json($0) } }
        Output.table(
            ["ID", "NAME", "MADE", "STATE"],
            operators.map {
                ["\($0.id)", $0.name, $0.created.local, $0.revoked.map { "revoked on \($0.local)" } ?? "works"]
            }
        )
    }
}
