import ArgumentParser

struct BikeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bike",
        abstract: "Your bikes and their beacons.",
        subcommands: [
            BikeRegisterCommand.self, BikeListCommand.self, BikeShowCommand.self, BikeMissingCommand.self,
            BikeFoundCommand.self, BikeSightingsCommand.self,
        ]
    )
}
