import ArgumentParser
import Beacons
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient
import Settings
import Terminal

/// `findmybike sightings`: the trail of a missing bike, as a table, as a file, or as it grows.
struct BikeSightingsCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "sightings",
        abstract: "Show where a missing bike was heard: the sightings of the open or the latest report.",
        discussion: """
            A file for a map or a table:
              findmybike sightings brompton --format gpx > trail.gpx
            """
    )

    /// The format of a file that the registry creates.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case geojson, gpx, csv

        var mediaType: String {
            switch self {
            case .geojson: MediaType.geoJSON
            case .gpx: MediaType.gpx
            case .csv: MediaType.csv
            }
        }
    }

    @OptionGroup var argument: BikeArgument

    @Option(help: "Write a file instead of a table: geojson, gpx or csv.")
    var format: Format?

    @Flag(help: "Keep showing new sightings as they arrive, until Ctrl-C.")
    var follow = false

    @OptionGroup var options: CallOptions

    func validate() throws {
        guard format == nil || !(follow || options.json) else {
            throw ValidationError("--format writes one file: leave out --follow and --json.")
        }
    }

    func run(at registry: RegistryConnection) async throws {
        let bike = try await argument.findMissing(at: registry)
        let report = try await registry.latestReport(on: bike)
        if let format { return try await writeTrail(of: report, on: bike.id, as: format, from: registry) }
        if follow { return try await followTrail(of: report, on: bike.id, from: registry) }
        let sightings = try await RegistryConnection.all {
            try await registry.sightings(of: report, on: bike.id, after: $0)
        }
        if options.json { return try sightings.forEach { try Output.json($0) } }
        guard !sightings.isEmpty else { return Output.line("Not heard anywhere yet.") }
        let short = ShortIdentifiers(sightings.map { "\($0.id)" })
        Output.table(
            ["FIRST HEARD", "LAST HEARD", "STATION", "PLACE", "FRAMES", "STRONGEST", "NEAREST", "CERTAINTY", "ID"],
            cells: sightings.map { row($0, short) })
        if let last = sightings.max(by: { $0.lastSeen < $1.lastSeen }), let map = try map {
            Output.line("Last heard at \(last.station.name), on a map: \(map.url(of: last.place))")
        }
    }

    /// Writes the file to standard output.
    private func writeTrail(
        of report: ReportID, on bike: BikeID, as format: Format, from registry: RegistryConnection
    ) async throws {
        let trail = try await registry.trail(of: report, on: bike, as: format.mediaType)
        if Output.isTerminal {
            Console.output.lines(String(decoding: trail.file, as: UTF8.self))
        } else {
            Console.output.data(Data(trail.file))
        }
        if trail.isCut { Output.remark("there are more sightings than fit in one file: --json shows all") }
    }

    /// Shows the sightings until the registry rejects the token.
    private func followTrail(of report: ReportID, on bike: BikeID, from registry: RegistryConnection) async throws {
        let display = TrailDisplay(map: try map, width: Output.isTerminal ? Output.width : nil)
        let json = options.json
        let trail = FollowedTrail(
            registry: registry, report: report, bike: bike,
            take: { sighting in
                guard json else { return display.show(sighting) }
                if (try? Output.json(sighting)) == nil { Output.remark("a sighting could not be shown") }
            },
            remark: { display.remark($0) })
        if !json, Output.isTerminal { Output.remark("waiting for sightings; press Ctrl-C to stop") }
        try await untilInterrupted { try await trail.run() }
    }

    /// Nil if the settings name no map.
    private var map: MapLink? {
        get throws { MapLink(try options.settings().value(CommandSettings.mapLink)) }
    }

    private func row(_ sighting: Sighting, _ short: ShortIdentifiers) -> [Table.Cell] {
        let texts = [
            sighting.sameStay == true ? "same stay, \(sighting.firstSeen.local)" : sighting.firstSeen.local,
            sighting.ended ? sighting.lastSeen.local : "still there",
            sighting.station.name + (sighting.receiver.map { " (\($0.name))" } ?? ""),
            sighting.place.text,
            "\(sighting.count)",
            sighting.rssi.map { "\($0.max) dBm" } ?? "unknown",
            sighting.proximity.rawValue,
        ]
        let tone: Tone? =
            switch sighting.level {
            case .possible: nil
            case .corroborated: .good
            case .disputed: .warning
            }
        return texts.map { Table.Cell($0) }
            + [Table.Cell(sighting.certainty, tone), Table.Cell(short.text("\(sighting.id)"))]
    }
}

/// `findmybike sighting …`: an owner's decision about one sighting.
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
    ///
    /// - Parameters:
    ///   - state: the new state, as the end of a sentence.
    ///   - call: returns the registry's call that makes the change.
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
