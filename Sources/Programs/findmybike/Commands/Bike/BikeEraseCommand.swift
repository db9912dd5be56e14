import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct BikeEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase a bike with its reports and sightings. Its beacon’s identity is never used again.",
        discussion: "  findmybike bike erase brompton"
    )

    @OptionGroup var argument: BikeArgument
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var recovery: RecoveryOptions
    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let bike = try await argument.find(at: registry)
        try confirmation.confirm("Permanently erase \(bike.make) \(bike.model) (\(bike.id))?")
        try await registry.eraseBike(bike.id, recoveryCode: recovery.recoveryCode)
        try options.show(["erased": "\(bike.id)"], "\(bike.make) \(bike.model) was erased.")
    }
}
