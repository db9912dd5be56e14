import ArgumentParser
import RegistryAPI
import RegistryClient

struct SightingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sighting",
        abstract: "What you know of a single sighting.",
        subcommands: [Acknowledge.self, Dismiss.self]
    )

    struct Acknowledge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say that you have read of a sighting: channels that wait for that are not told of it.",
            discussion: "  findmybike sighting acknowledge 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 brompton"
        )

        @Argument(help: "The sighting’s identifier, as ‘findmybike sightings’ shows it.")
        var sighting: VisitID

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: RegistryOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            let report = try await registry.latestReport(on: bike)
            let read = try await patiently {
                try await registry.acknowledgeSighting(sighting, of: report, on: bike.id)
            }
            if output.json { return try Output.json(read) }
            Output.line("The sighting at \(read.station.name) on \(read.firstSeen.local) counts as read.")
        }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say that a sighting is wrong: it stays, marked, and judges no other.",
            discussion: "  findmybike sighting dismiss 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 brompton"
        )

        @Argument(help: "The sighting’s identifier, as ‘findmybike sightings’ shows it.")
        var sighting: VisitID

        @OptionGroup var argument: BikeArgument
        @OptionGroup var options: RegistryOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let registry = try options.connect()
            let bike = try await argument.find(at: registry)
            let report = try await registry.latestReport(on: bike)
            let dismissed = try await patiently {
                try await registry.dismissSighting(sighting, of: report, on: bike.id)
            }
            if output.json { return try Output.json(dismissed) }
            Output.line("The sighting at \(dismissed.station.name) on \(dismissed.firstSeen.local) is dismissed.")
        }
    }
}
