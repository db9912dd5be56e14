import ArgumentParser
import Beacons
import Foundation
import RegistryAPI
import RegistryClient
import Synchronization
import Terminal

struct BikeSightingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sightings",
        abstract: "Show where a missing bike was heard, of the open report or else the latest.",
        discussion: """
            A file for a map or a table:
              findmybike sightings brompton --format gpx > trail.gpx
            """
    )

    /// A file that the registry makes.
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

    @Flag(help: "Go on and show each new sighting as it comes, until Ctrl-C.")
    var follow = false

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard format == nil || !(follow || output.json) else {
            throw ValidationError("--format writes one file: leave out --follow and --json.")
        }
    }

    func run() async throws {
        let registry = try options.connect()
        let bike = try await argument.find(at: registry)
        let report = try await registry.latestReport(on: bike)
        if let format { return try await write(format, of: report, on: bike.id, from: registry) }
        if follow { return try await show(report, on: bike.id, from: registry) }
        let sightings = try await RegistryConnection.all { cursor in
            try await patiently { try await registry.sightings(of: report, on: bike.id, after: cursor) }
        }
        if output.json { return try sightings.forEach { try Output.json($0) } }
        guard !sightings.isEmpty else { return Output.line("Not heard anywhere yet.") }
        Output.table(
            ["FIRST HEARD", "LAST HEARD", "STATION", "PLACE", "FRAMES", "STRONGEST", "NEAREST", "CERTAINTY", "ID"],
            sightings.map(row),
            tone: { $0.hasPrefix("disputed") ? .warning : $0.hasPrefix("corroborated") ? .good : nil }
        )
    }

    private func write(
        _ format: Format, of report: ReportID, on bike: BikeID, from registry: RegistryConnection
    ) async throws {
        let trail = try await patiently {
            try await registry.trail(of: report, on: bike, as: format.mediaType)
        }
        FileHandle.standardOutput.write(Data(trail.file))
        if trail.isCut { Output.remark("there are more sightings than one file holds: --json shows all") }
    }

    /// Resumes where a stream ended, for as long as the registry takes the token.
    private func show(_ report: ReportID, on bike: BikeID, from registry: RegistryConnection) async throws {
        let last = Mutex<String?>(nil)
        let json = output.json
        try await untilInterrupted {
            while !Task.isCancelled {
                do {
                    try await registry.followSightings(of: report, on: bike, after: last.withLock(\.self)) {
                        Self.show($0, json: json)
                        let id = $1
                        last.withLock { $0 = id }
                    }
                    // A registry that restarts ends its streams.
                    try? await Task.sleep(for: .seconds(1))
                } catch let error as RegistryError where error.isTransient {
                    try? await Task.sleep(for: error.retryAfter ?? .seconds(3))
                } catch is CancellationError {
                    return
                }
            }
        }
    }

    private static func show(_ sighting: Sighting, json: Bool) {
        guard !json else {
            if (try? Output.json(sighting)) == nil { Output.remark("a sighting could not be shown") }
            return
        }
        let place = "\(sighting.place.latitude), \(sighting.place.longitude)"
        Output.line("\(sighting.lastSeen.local)  \(sighting.station.name)  \(place)  \(certainty(of: sighting))")
    }

    private func row(_ sighting: Sighting) -> [String] {
        [
            sighting.firstSeen.local,
            sighting.ended ? sighting.lastSeen.local : "still there",
            sighting.station.name,
            String(format: "%.5f, %.5f", sighting.place.latitude, sighting.place.longitude),
            "\(sighting.count)",
            sighting.rssi.map { "\($0.max) dBm" } ?? "unknown",
            sighting.proximity.rawValue,
            Self.certainty(of: sighting),
            "\(sighting.id)",
        ]
    }

    /// The level with its reasons, and what the owner decided.
    private static func certainty(of sighting: Sighting) -> String {
        let reasons = sighting.reasons.isEmpty ? "" : ": \(sighting.reasons.map(\.rawValue).joined(separator: ", "))"
        let marks = (sighting.late ? ", late" : "") + (sighting.dismissed == nil ? "" : ", dismissed")
        return sighting.level.rawValue + reasons + marks
    }
}
