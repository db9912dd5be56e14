import ArgumentParser

struct BeaconCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon",
        abstract: "Be a beacon, for trying things out.",
        subcommands: [BeaconAdvertiseCommand.self, BeaconStopCommand.self, BeaconAllowCommand.self]
    )
}
