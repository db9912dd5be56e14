import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OperatorRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke an operator’s token permanently.",
        discussion: "  findmybike operator revoke 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
    )

    @Argument(
        help: ArgumentHelp(
            "Part of the operator’s name, or the beginning of the identifier, as ‘findmybike operator list’ shows them.",
            valueName: "operator"))
    var name: String

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let meant = try await find(at: registry)
        let id = meant.id
        try confirmation.confirm("Lock out operator \(id) (\(meant.name))?")
        let revoked = try await registry.revokeOperator(id)
        try options.show(revoked, "Operator \(id) (\(revoked.name)) was revoked.")
    }

    private func find(at registry: RegistryConnection) async throws -> Operator {
        let operators = try await RegistryConnection.all { try await registry.operators(after: $0) }
        return try Choice(noun: "operator", list: "findmybike operator list", id: { "\($0.id)" }) { [$0.name] }
            .pick(name, among: operators)
    }
}
