import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

struct BikeTransferCommand: OneBikeCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer",
        abstract: "Hand a bike over: make a code for its new owner.",
        discussion: """
            Your reports, sightings, notes and plate are not transferred.
              findmybike bike transfer brompton
            """
    )

    @OptionGroup var argument: BikeArgument
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var recovery: RecoveryOptions
    @OptionGroup var options: CallOptions

    func run(on bike: Bike, at registry: RegistryConnection) async throws {
        try confirmation.confirm("Let anyone who has the code take over \(bike.make) \(bike.model)?")
        let transfer = try await registry.offerTransfer(of: bike.id, recoveryCode: recovery.recoveryCode)
        Output.secretFollows(
            ifLost: "A code was made that works until \(transfer.expires.local), but it was not printed, so nobody has "
                + "it. Make another with ‘findmybike bike transfer \(bike.id)’, which replaces it.")
        if options.json { return try Output.json(transfer) }
        Output.line("Until \(transfer.expires.local) the new owner can take it over with:")
        Output.line("  findmybike bike take \(transfer.code)")
    }
}

struct BikeTakeCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "take",
        abstract: "Take a bike over from its owner.",
        discussion: "  findmybike bike take 7KQ2M-XW9TC-4HJ6D-PPZ0A"
    )

    @Argument(help: "The code that the owner gave you.")
    var code: String

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let bike = try await registry.acceptTransfer(code: code)
        try options.show(bike, "\(bike.make) \(bike.model) is now yours, as \(bike.id).")
    }
}
