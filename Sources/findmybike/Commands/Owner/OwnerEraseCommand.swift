import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OwnerEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase your account with all bikes, reports and sightings. There is no way back.",
        discussion: """
            Take a copy first.
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
        try confirmation.confirm("Erase owner \(owner.id) with everything, for ever?")
        try await registry.eraseOwner(recoveryCode: recovery.recoveryCode)
        try options.show(
            ["erased": "\(owner.id)"],
            "Owner \(owner.id) is erased. The token in \(TokenFile(settings).path) is of no use any more.")
    }
}
