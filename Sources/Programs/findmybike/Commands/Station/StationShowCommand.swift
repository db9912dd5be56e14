import ArgumentParser
import CommandLines
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct StationShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one station and its last heartbeat.",
        discussion: "  findmybike station show \"Café Sprocket\"")

    @OptionGroup var argument: StationArgument

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let id = try await argument.find(at: registry)
        let station = try await registry.station(id).station
        if options.json { return try Output.json(station) }
        let beat = station.heartbeat
        let place = "\(station.place.latitude), \(station.place.longitude)"
        let accuracy = station.place.accuracy.map { " within \($0) m" } ?? ""
        Output.details([
            ("Station", station.name),
            ("Identifier", "\(station.id)"),
            ("Venue", station.venue),
            ("Place", station.mobile ? "mobile" : "\(place)\(accuracy) since \(station.placedSince.local)"),
            ("Enrolled", station.enrolled.local),
            ("State", StationText.state(of: station)),
            ("Quarantine", station.quarantinedSince.map { "since \($0.local): its sightings are disputed" }),
            ("Judging", station.judgement.map { "\(counted($0.sightings, "sighting")) again since \($0.began.local)" }),
            ("Heartbeat", beat.map { $0.received.local } ?? "none yet"),
            ("Version", beat?.heartbeat.version),
            ("List", beat.map { $0.heartbeat.listVersion.map { "version \($0)" } ?? "none" }),
        ])
        for adapter in beat?.heartbeat.adapters ?? [] { Output.line("  " + Self.line(adapter)) }
    }

    private static func line(_ adapter: StationHeartbeat.AdapterHealth) -> String {
        let silence = adapter.silentSeconds.map { "silent for \($0) s" } ?? "nothing heard yet"
        let error = adapter.lastError.map { ", last error: \($0)" } ?? ""
        return "\(adapter.name): \(adapter.state), \(silence), \(adapter.reports) adverts, "
            + "\(adapter.dropped) dropped\(error)"
    }
}
