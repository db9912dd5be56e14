import ArgumentParser

struct BeaconCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon",
        abstract: "Send a test signal, set up and check rotating beacons, stop and allow searches.",
        subcommands: [
            BeaconAdvertiseCommand.self, BeaconProvisionCommand.self, BeaconCheckCommand.self, BeaconStopCommand.self,
            BeaconAllowCommand.self,
        ]
    )
}
