import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OwnerSuspendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend",
        abstract: "Stop searching for all of an owner’s bikes, with the operator’s token.",
        discussion: """
            The owner gets a message on all channels, with the reason.
              findmybike owner suspend 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 --reason "Reports of beacons of others"
            """
    )

    @OptionGroup var owner: ReviewedOwner

    @Option(help: ArgumentHelp("The reason, for the owner, at most 500 characters.", valueName: "text"))
    var reason: String?

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let registry = try owner.options.connect()
        let id = try await owner.find(at: registry)
        try confirmation.confirm("Stop searching for all of this owner’s bikes?")
        let reason = OperatorReason(reason: reason)
        try owner.show(try await registry.suspendOwner(id, reason))
    }
}

struct OwnerResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Lift an owner’s suspension, with the operator’s token.",
        discussion: "  findmybike owner resume 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
    )

    @OptionGroup var owner: ReviewedOwner

    func run() async throws {
        let registry = try owner.options.connect()
        let id = try await owner.find(at: registry)
        try owner.show(try await registry.resumeOwner(id))
    }
}
