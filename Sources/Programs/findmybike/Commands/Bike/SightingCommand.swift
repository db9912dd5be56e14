import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct SightingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sighting",
        abstract: "Acknowledge or dismiss a single sighting.",
        subcommands: [Acknowledge.self, Dismiss.self]
    )

    struct Acknowledge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Confirm that you have read an alert: channels that wait for that get no message.",
            discussion: "  findmybike sighting acknowledge 019aa4e1 brompton"
        )

        @OptionGroup var argument: SightingArgument

        func run() async throws {
            try await argument.change(to: "counts as read") { $0.acknowledgeSighting }
        }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Mark a sighting as wrong: it stays in the list, but no longer affects others.",
            discussion: "  findmybike sighting dismiss 019aa4e1 brompton"
        )

        @OptionGroup var argument: SightingArgument

        func run() async throws {
            try await argument.change(to: "is dismissed") { $0.dismissSighting }
        }
    }
}

/// One sighting of a bike's latest report.
struct SightingArgument: ParsableArguments {
    @Argument(
        help: "The beginning of the sighting’s identifier, as ‘findmybike sightings’ shows it, or its station’s name.")
    var sighting: String

    @OptionGroup var bike: BikeArgument
    @OptionGroup var options: CallOptions

    /// Changes the sighting at the registry and prints its new state.
    func change(
        to state: String, _ call: (RegistryConnection) -> (VisitID, ReportID, BikeID) async throws -> Sighting
    ) async throws {
        let registry = try options.connect()
        let bike = try await bike.findMissing(at: registry)
        let report = try await registry.latestReport(on: bike)
        let sighting = try await find(of: report, on: bike.id, at: registry)
        let changed = try await call(registry)(sighting, report, bike.id)
        try options.show(changed, "The sighting at \(changed.station.name) on \(changed.firstSeen.local) \(state).")
    }

    private func find(of report: ReportID, on bike: BikeID, at registry: RegistryConnection) async throws -> VisitID {
        if let id = VisitID(sighting) { return id }
        let sightings = try await RegistryConnection.all {
            try await registry.sightings(of: report, on: bike, after: $0)
        }
        return try Choice(noun: "sighting", list: "findmybike sightings", id: { "\($0.id)" }) { [$0.station.name] }
            .pick(sighting, among: sightings).id
    }
}
