import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OwnerVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Say that you know who an owner is, with the operator’s token.",
        discussion: """
            Do it after you have checked a name and an address; neither is stored. The owner’s beacons are then never \
            treated as new, and rotating beacons can be limited to verified owners (beacons.rotatingFor).
              findmybike owner verify 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203
            """
    )

    @OptionGroup var owner: ReviewedOwner

    @Flag(help: "Withdraw the verification.")
    var withdraw = false

    func run() async throws {
        let registry = try owner.options.connect()
        let id = try await owner.find(at: registry)
        try owner.show(withdraw ? try await registry.unverifyOwner(id) : try await registry.verifyOwner(id))
    }
}
