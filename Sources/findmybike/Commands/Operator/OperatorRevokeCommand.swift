import ArgumentParser
import RegistryAPI
import RegistryClient

struct OperatorRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take an operator’s token away for good.",
        discussion: "  findmybike operator revoke 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
    )

    @Argument(help: "The operator’s identifier, as ‘findmybike operator list’ shows it.")
    var id: OperatorID

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connect()
        try confirmation.confirm("Lock operator \(id) out?")
        let revoked = try await patiently { try await registry.revokeOperator(id) }
        if output.json { return try Output.json(revoked) }
        Output.line("Operator \(id) (\(revoked.name)) is revoked.")
    }
}
