import ArgumentParser
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct StationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "station",
        abstract: "The places where monitors listen.",
        subcommands: [
            StationInviteCommand.self, StationListCommand.self, StationShowCommand.self, Enrol.self,
            StationCoverageCommand.self, StationMoveCommand.self, StationRevokeCommand.self,
            StationCancelCommand.self, StationDisplayCommand.self,
        ]
    )

    struct Enrol: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enrol a station and store its token in a file, for a machine that cannot enrol itself.",
            discussion: """
                With the operator’s token. Usually ‘findmybike station invite’ is easier.
                  findmybike station enrol --name "Café Sprocket" --latitude 51.5007 --longitude -0.1246 --output token
                """
        )

        @OptionGroup var place: InvitationOptions

        @OptionGroup var newFile: NewTokenFile
        @OptionGroup var options: CallOptions

        func run() async throws {
            let file = try newFile.checked()
            let registry = try options.connect()
            let invitation = try await place.invite(at: registry)
            let enrolled = try await registry.enrol(code: invitation.code)
            try file.create(enrolled.token)
            try options.show(
                enrolled.station,
                "Station \(enrolled.station.id) (\(place.name)) enrolled. Its token is in \(file.path).")
        }
    }
}

struct StationListCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the stations, their state, and the open invitations.",
        discussion: "  findmybike station list"
    )

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
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
            cells: stations.map { Self.row($0, short) } + pending.map { Self.row($0, short) })
    }

    /// An invitation as JSON; its one field distinguishes it from a station.
    private struct Pending: Encodable {
        let invitation: PendingInvitation
    }

    private static func row(_ station: Station, _ short: ShortIdentifiers) -> [Table.Cell] {
        let texts = [
            short.text("\(station.id)"), station.name, station.venue, StationText.place(of: station),
            station.heartbeat?.heartbeat.version ?? "unknown",
        ]
        return texts.map { Table.Cell($0) } + [StationText.state(of: station)]
    }

    private static func row(_ invitation: PendingInvitation, _ short: ShortIdentifiers) -> [Table.Cell] {
        let texts = [
            short.text("\(invitation.id)"), invitation.name, invitation.venue,
            invitation.mobile ? "mobile" : invitation.place.text, "",
        ]
        let state = "invited, the code works until \(invitation.expires.local)"
        return texts.map { Table.Cell($0) } + [Table.Cell(state, .warning)]
    }
}

/// Texts about a station.
enum StationText {
    /// The place, or that the station moves.
    static func place(of station: Station) -> String {
        station.mobile ? "mobile" : station.place.text
    }

    /// The state in a few words, such as `silent for 12 minutes`.
    static func state(of station: Station) -> Table.Cell {
        if let revoked = station.revoked { return Table.Cell("revoked on \(revoked.local)") }
        return switch station.state {
        case .listening: Table.Cell("listening", .good)
        case .deaf: Table.Cell("does not hear", .alarm)
        case .silent: Table.Cell("silent for \(counted(station.silentMinutes, "minute"))", .alarm)
        case let state?: Table.Cell(state.rawValue)
        case nil: Table.Cell("unknown")
        }
    }
}

struct StationShowCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one station and its last heartbeat.",
        discussion: "  findmybike station show \"Café Sprocket\"")

    @OptionGroup var argument: StationArgument

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
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
            ("State", StationText.state(of: station).text),
            ("Quarantine", station.quarantinedSince.map { "since \($0.local): its sightings are disputed" }),
            ("Judging", station.judgement.map { "\(counted($0.sightings, "sighting")) again since \($0.began.local)" }),
            ("Heartbeat", beat.map { $0.received.local } ?? "none yet"),
            ("Version", beat?.heartbeat.version),
            ("List", beat.map { $0.heartbeat.listVersion.map { "version \($0)" } ?? "none" }),
            ("Partners", beat?.heartbeat.partners == false ? "the venue refuses: they get none of its visits" : nil),
        ])
        for adapter in beat?.heartbeat.adapters ?? [] { Output.line("  " + Self.line(adapter)) }
    }

    private static func line(_ adapter: StationHeartbeat.AdapterHealth) -> String {
        let silence = adapter.silentSeconds.map { "silent for \($0) s" } ?? "nothing heard yet"
        let error = adapter.lastError.map { ", last error: \($0)" } ?? ""
        return "\(adapter.name): \(adapter.state), \(silence), \(counted(adapter.reports, "advert")), "
            + "\(adapter.dropped) dropped\(error)"
    }
}

/// The place of a station.
struct StationPlace: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees north.", valueName: "degrees"))
    var latitude: Double

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees east.", valueName: "degrees"))
    var longitude: Double

    @Option(help: ArgumentHelp("The accuracy of the place.", valueName: "metres"))
    var accuracy: Double?

    var place: Place { Place(latitude: latitude, longitude: longitude, accuracy: accuracy) }
}

struct StationMoveCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Change a station’s place.",
        discussion: """
            Earlier sightings keep the old place; disputed sightings since then are judged again.
              findmybike station move sprocket --latitude 51.5007 --longitude -0.1246 --since "yesterday 08:00"
            """
    )

    @OptionGroup var argument: StationArgument

    @OptionGroup var location: StationPlace

    @Option(help: ArgumentHelp("The time of the move; by default now.", valueName: "time"))
    var since: Timestamp?

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let id = try await argument.find(at: registry)
        let found = try await registry.station(id)
        let moved = try await registry.changeStation(
            id, StationPatch(place: location.place, since: since), ifMatch: found.entityTag)
        try options.show(
            moved,
            "\(moved.name) has been at \(location.latitude), \(location.longitude) since \(moved.placedSince.local).")
    }
}

struct StationRevokeCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a station’s token permanently.",
        discussion: """
            With --quarantine-since, its sightings since that time are kept, but disputed. Repeat the command to go \
            further back. ‘station show’ shows the progress of judging them again.
              findmybike station revoke sprocket --yes --quarantine-since "2 days ago"
            """
    )

    @OptionGroup var argument: StationArgument

    @Option(help: ArgumentHelp("Dispute its sightings since this time.", valueName: "time"))
    var quarantineSince: Timestamp?

    @Flag(help: "Confirm: a revoked station has to be enrolled again.")
    var yes = false

    @OptionGroup var options: CallOptions

    func validate() throws {
        guard yes else { throw ValidationError("A revoked station has to be enrolled again: add --yes to confirm.") }
        try quarantineSince?.requirePast("--quarantine-since")
    }

    func run(at registry: RegistryConnection) async throws {
        let id = try await argument.find(at: registry)
        let station = try await registry.revokeStation(id, quarantineSince: quarantineSince)
        if options.json { return try Output.json(station) }
        let quarantined = station.quarantinedSince.map { " Its sightings since \($0.local) are disputed." }
        Output.line("\(station.name) was revoked.\(quarantined ?? "")")
    }
}
