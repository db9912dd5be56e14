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

        @OptionGroup var argument: SightingArgument

        func run() async throws {
            try await argument.change(to: "counts as read") { registry, sighting, report, bike in
                try await registry.acknowledgeSighting(sighting, of: report, on: bike)
            }
        }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say that a sighting is wrong: it stays, marked, and judges no other.",
            discussion: "  findmybike sighting dismiss 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 brompton"
        )

        @OptionGroup var argument: SightingArgument

        func run() async throws {
            try await argument.change(to: "is dismissed") { registry, sighting, report, bike in
                try await registry.dismissSighting(sighting, of: report, on: bike)
            }
        }
    }
}

/// One sighting of a bike's latest report.
struct SightingArgument: ParsableArguments {
    @Argument(help: "The sighting’s identifier, as ‘findmybike sightings’ shows it.")
    var sighting: VisitID

    @OptionGroup var bike: BikeArgument
    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    /// Changes the sighting at the registry and says what it is now.
    func change(
        to state: String, _ change: (RegistryConnection, VisitID, ReportID, BikeID) async throws -> Sighting
    ) async throws {
        let registry = try options.connect()
        let bike = try await bike.find(at: registry)
        let report = try await registry.latestReport(on: bike)
        let changed = try await patiently { try await change(registry, sighting, report, bike.id) }
        if output.json { return try Output.json(changed) }
        Output.line("The sighting at \(changed.station.name) on \(changed.firstSeen.local) \(state).")
    }
}
