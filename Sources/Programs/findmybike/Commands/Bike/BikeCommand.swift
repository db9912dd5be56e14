import ArgumentParser

struct BikeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bike",
        abstract: "Your bikes and their beacons.",
        subcommands: [
            BikeRegisterCommand.self, BikeListCommand.self, BikeShowCommand.self, BikeEditCommand.self,
            BikeMissingCommand.self, BikeFoundCommand.self, BikeSightingsCommand.self, BikeHistoryCommand.self,
            BikeBeaconCommand.self, BikeTestCommand.self, BikePhotoCommand.self, BikeTransferCommand.self,
            BikeTakeCommand.self, BikeEraseCommand.self, BikeCheckCommand.self,
        ]
    )
}
