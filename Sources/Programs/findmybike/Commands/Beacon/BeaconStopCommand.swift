import ArgumentParser
import Beacons
import CommandLines
import RegistryAPI
import RegistryClient

struct BeaconStopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Keep a beacon off the missing list, with the operator’s token.",
        discussion: """
            The bike’s owner gets a message on all channels, with the reason, and can object once. For a rotating beacon of a missing bike, \
            give any identity that was heard from it.
              findmybike beacon stop 21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:4711 --reason "Planted on somebody"
            """
    )

    @Argument(help: ArgumentHelp("The beacon’s identity.", valueName: "UUID:major:minor"))
    var identity: BeaconIdentity

    @Option(help: ArgumentHelp("The reason, for the owner, at most 500 characters.", valueName: "text"))
    var reason: String

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        try confirmation.confirm("Stop all searches for this beacon?")
        let review = try await registry.stopSearch(for: identity, StopReason(reason: reason))
        try options.show(review, "No station searches for \(identity) until ‘findmybike beacon allow’.")
    }
}

struct BeaconAllowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: "Allow searches for a beacon again, with the operator’s token.",
        discussion: "  findmybike beacon allow 21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:4711"
    )

    @Argument(help: ArgumentHelp("The beacon’s identity.", valueName: "UUID:major:minor"))
    var identity: BeaconIdentity

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let review = try await registry.allowSearch(for: identity)
        try options.show(review, "Stations search for \(identity) again when its bike is missing.")
    }
}
