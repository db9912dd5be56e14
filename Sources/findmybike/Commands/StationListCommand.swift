import ArgumentParser
import Foundation
import RegistryAPI
import RegistryClient

struct StationListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the stations, and which of them are silent.",
        discussion: "  findmybike station list"
    )

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connect()
        let stations = try await RegistryConnection.all { cursor in
            try await patiently { try await registry.stations(after: cursor) }
        }
        if output.json { return try stations.forEach { try Output.json($0) } }
        guard !stations.isEmpty else {
            return Output.line("No stations yet: ‘findmybike station invite’ makes a code for one.")
        }
        Output.table(
            ["ID", "STATION", "VENUE", "PLACE", "VERSION", "STATE"],
            stations.map { station in
                [
                    "\(station.id)", station.name, station.venue, StationText.place(of: station),
                    station.heartbeat?.heartbeat.version ?? "unknown", StationText.state(of: station),
                ]
            }
        )
    }
}

/// How a station is told of.
enum StationText {
    static func place(of station: Station) -> String {
        let place = String(format: "%.5f, %.5f", station.place.latitude, station.place.longitude)
        return station.mobile ? "mobile" : place
    }

    /// A station tells of itself every five minutes: below a quarter of an hour nothing is amiss.
    static func state(of station: Station) -> String {
        if let revoked = station.revoked { return "revoked on \(revoked.local)" }
        guard station.silentMinutes >= 15 else { return station.heartbeat == nil ? "new" : "alive" }
        return "silent for \(station.silentMinutes) minutes"
    }
}
