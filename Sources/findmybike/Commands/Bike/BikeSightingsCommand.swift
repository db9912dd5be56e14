import ArgumentParser
import Beacons
import Foundation
import RegistryAPI
import RegistryClient

struct BikeSightingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sightings",
        abstract: "Show where a missing bike was heard, of the open report or else the latest."
    )

    @OptionGroup var argument: BikeArgument
    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connect()
        let bike = try await argument.find(at: registry)
        let report = try await registry.latestReport(on: bike)
        let sightings = try await RegistryConnection.all { cursor in
            try await patiently { try await registry.sightings(of: report, on: bike.id, after: cursor) }
        }
        if output.json { return try sightings.forEach { try Output.json($0) } }
        guard !sightings.isEmpty else { return Output.line("Not heard anywhere yet.") }
        Output.table(
            ["FIRST HEARD", "LAST HEARD", "STATION", "PLACE", "FRAMES", "STRONGEST", "NEAREST"],
            sightings.map(row)
        )
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
        ]
    }
}
