import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OwnerEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase your account with all bikes, reports and sightings. This cannot be undone.",
        discussion: """
            Export your data first.
              findmybike owner export --output me.json
              findmybike owner erase
            """
    )

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var recovery: RecoveryOptions
    @OptionGroup var options: CallOptions

    func run() async throws {
        let settings = try options.settings()
        let registry = try options.connect()
        let owner = try await registry.owner()
        try confirmation.confirm("Permanently erase owner \(owner.id) with all bikes, reports and sightings?")
        try await registry.eraseOwner(recoveryCode: recovery.recoveryCode)
        try options.show(
            ["erased": "\(owner.id)"],
            "Owner \(owner.id) was erased. The token in \(TokenFile(settings).path) no longer works.")
    }
}
