import ArgumentParser

struct BeaconCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon",
        abstract: "Advertise a test beacon; stop and allow searches for a beacon.",
        subcommands: [BeaconAdvertiseCommand.self, BeaconStopCommand.self, BeaconAllowCommand.self]
    )
}
