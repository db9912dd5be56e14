import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OperatorListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the operators.", discussion: "  findmybike operator list")

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let operators = try await RegistryConnection.all { try await registry.operators(after: $0) }
        try options.output.list(operators, ["ID", "NAME", "MADE", "STATE"]) {
            ["\($0.id)", $0.name, $0.created.local, $0.revoked.map { "revoked on \($0.local)" } ?? "works"]
        }
    }
}
