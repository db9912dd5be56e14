import ArgumentParser
import CommandLines
import Foundation
import RegistryAPI
import RegistryClient
import Syntax
import Terminal

struct StationListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the stations, their state, and the open invitations.",
        discussion: "  findmybike station list"
    )

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let stations = try await RegistryConnection.all { try await registry.stations(after: $0) }
        let pending = try await registry.allPendingInvitations()
        if options.json {
            try stations.forEach { try Output.json($0) }
            return try pending.forEach { try Output.json(Pending(invitation: $0)) }
        }
        guard !stations.isEmpty || !pending.isEmpty else {
            return Output.line("No stations yet: ‘findmybike station invite’ makes a code for one.")
        }
        let short = ShortIdentifiers(stations.map { "\($0.id)" } + pending.map { "\($0.id)" })
        Output.table(
            ["ID", "STATION", "VENUE", "PLACE", "VERSION", "STATE"],
            stations.map { Self.row($0, short) } + pending.map { Self.row($0, short) },
            tone: StationText.tone)
    }

    /// An invitation as JSON; its one field distinguishes it from a station.
    private struct Pending: Encodable {
        let invitation: PendingInvitation
    }

    private static func row(_ station: Station, _ short: ShortIdentifiers) -> [String] {
        [
            short.text("\(station.id)"), station.name, station.venue, StationText.place(of: station),
            station.heartbeat?.heartbeat.version ?? "unknown", StationText.state(of: station),
        ]
    }

    private static func row(_ invitation: PendingInvitation, _ short: ShortIdentifiers) -> [String] {
        [
            short.text("\(invitation.id)"), invitation.name, invitation.venue,
            invitation.mobile ? "mobile" : invitation.place.text, "",
            "invited, the code works until \(invitation.expires.local)",
        ]
    }
}

/// Texts about a station.
enum StationText {
    static func place(of station: Station) -> String {
        station.mobile ? "mobile" : station.place.text
    }

    private static let deaf = "does not hear"

    /// The tone of a cell of the list.
    static func tone(_ text: String) -> Tone? {
        if text == "listening" { return .good }
        if text == deaf || text.begins(with: "silent") { return .alarm }
        return text.begins(with: "invited") ? .warning : nil
    }

    static func state(of station: Station) -> String {
        if let revoked = station.revoked { return "revoked on \(revoked.local)" }
        return switch station.state {
        case .deaf: deaf
        case .silent: "silent for \(counted(station.silentMinutes, "minute"))"
        case let state?: state.rawValue
        case nil: "unknown"
        }
    }
}
