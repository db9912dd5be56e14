import ArgumentParser
import Beacons
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient
import Settings
import Syntax
import Terminal

struct BikeMissingCommand: OneBikeCommand {
    static let configuration = CommandConfiguration(
        commandName: "missing",
        abstract: "Mark a bike missing: every station searches for it.",
        discussion: """
            Tell the police too, and add their reference.
              findmybike bike missing brompton --since "yesterday 18:30" --police-reference 4471/26
            """
    )

    @OptionGroup var argument: BikeArgument

    @Option(help: ArgumentHelp("When it was last safe, as in 2h ago or 18:30; by default now.", valueName: "time"))
    var since: Timestamp?

    @OptionGroup var details: ReportDetails

    @Flag(help: "Only this registry’s stations search, and none of its partners’.")
    var onlyHere = false

    @OptionGroup var options: CallOptions

    func run(on bike: Bike, at registry: RegistryConnection) async throws {
        let draft = MissingReportDraft(
            missingSince: since, lastPlace: details.place, policeReference: details.policeReference,
            policeForce: details.policeForce, note: details.note, onlyHere: onlyHere ? true : nil
        )
        let report = try await registry.openReport(on: bike.id, draft)
        if options.json { return try Output.json(report) }
        let looking = report.isSearchedFor && report.unheard != true ? ": every station is searching for it." : "."
        Output.line("\(bike.make) \(bike.model) has been missing since \(report.missingSince.local)\(looking)")
        if report.unheard == true { Output.line("\(bike.make) \(bike.model): \(Bike.unreadableRemedy)") }
        if let remark = report.searchRemark { Output.line(remark) }
        let channels = try await registry.allChannels()
        if channels.isEmpty {
            let offered = try await registry.owner().channelKinds
            Output.line("Nothing can alert you yet: \(ChannelAddCommand.advice(offered))")
        } else if !channels.contains(where: \.isUsable) {
            Output.line(
                "Nothing can alert you now: none of your channels works. ‘findmybike channel list’ shows why.")
        }
    }
}

extension MissingReport {
    /// Whether a search began when the report opened.
    fileprivate var isSearchedFor: Bool { sightingsUntil.map { $0 > opened } ?? true }

    /// When the search ends and what to do about it; nil if it does not end.
    fileprivate var searchRemark: String? {
        guard let until = sightingsUntil else { return nil }
        let edit = "‘findmybike report edit --police-reference …’ adds it."
        guard isSearchedFor else {
            return MissingReport.isReference(policeReference)
                ? "No station searches for it: ask the registry’s operator to confirm the reference of report \(id)."
                : "No station searches for it without a police reference: \(edit)"
        }
        if newBeacon == true {
            return "The beacon was new, so we search until \(until.local), and longer once the registry’s operator has "
                + "confirmed a police reference: \(edit)"
        }
        return MissingReport.isReference(policeReference)
            ? "We search until \(until.local), and longer if the registry’s operator confirms the police reference."
            : "Without a police reference we search until \(until.local): \(edit)"
    }
}

struct BikeFoundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "found",
        abstract: "Close a bike’s missing report: stations stop searching for it.",
        discussion: "  findmybike bike found brompton --by police"
    )

    @OptionGroup var closing: ClosingOptions

    func run() async throws { try await closing.run() }
}

/// The outcome of a missing report when it is closed.
struct ClosingOptions: ParsableArguments {
    @OptionGroup var argument: BikeArgument

    @Option(help: "recovered, false-alarm or given-up.")
    var outcome: ReportOutcome = .recovered

    @Option(help: "The person who recovered it: owner, police, venue, finder or other.")
    var by: Recoverer?

    @Option(help: "How it came back, or why it is given up.")
    var note: String?

    @OptionGroup var options: CallOptions

    func validate() throws {
        guard ReportClosure.ownersOutcomes.contains(outcome) else {
            throw ValidationError("Only the registry lets a report expire: choose recovered, false-alarm or given-up.")
        }
        guard by == nil || outcome == .recovered else {
            throw ValidationError("--by is only for a bike that was recovered.")
        }
    }

    func run() async throws {
        let registry = try options.connect()
        let bike = try await argument.findMissing(at: registry)
        guard let report = bike.openReport else {
            throw CommandFailure(.dataError, "\(bike.make) \(bike.model) is not marked missing")
        }
        let closure = ReportClosure(outcome: outcome, recoveredBy: by, note: note)
        let closed = try await registry.closeReport(report, on: bike.id, closure)
        try options.show(closed, "The report on \(bike.make) \(bike.model) is closed: \(outcome.words).")
    }
}

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
        if let format { return try await write(format, of: report, on: bike.id, from: registry) }
        if follow { return try await show(report, on: bike.id, from: registry) }
        let sightings = try await RegistryConnection.all {
            try await registry.sightings(of: report, on: bike.id, after: $0)
        }
        if options.json { return try sightings.forEach { try Output.json($0) } }
        guard !sightings.isEmpty else { return Output.line("Not heard anywhere yet.") }
        let short = ShortIdentifiers(sightings.map { "\($0.id)" })
        Output.table(
            ["FIRST HEARD", "LAST HEARD", "STATION", "PLACE", "FRAMES", "STRONGEST", "NEAREST", "CERTAINTY", "ID"],
            sightings.map { row($0, short) },
            tone: { $0.begins(with: "disputed") ? .warning : $0.begins(with: "corroborated") ? .good : nil }
        )
        if let last = sightings.max(by: { $0.lastSeen < $1.lastSeen }), let map = try map {
            Output.line("Last heard at \(last.station.name), on a map: \(map.url(of: last.place))")
        }
    }

    private func write(
        _ format: Format, of report: ReportID, on bike: BikeID, from registry: RegistryConnection
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
    private func show(_ report: ReportID, on bike: BikeID, from registry: RegistryConnection) async throws {
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

    private var map: MapLink? {
        get throws { MapLink(try options.settings().value(CommandSettings.mapLink)) }
    }

    private func row(_ sighting: Sighting, _ short: ShortIdentifiers) -> [String] {
        [
            sighting.sameStay == true ? "same stay, \(sighting.firstSeen.local)" : sighting.firstSeen.local,
            sighting.ended ? sighting.lastSeen.local : "still there",
            sighting.station.name + (sighting.receiver.map { " (\($0.name))" } ?? ""),
            sighting.place.text,
            "\(sighting.count)",
            sighting.rssi.map { "\($0.max) dBm" } ?? "unknown",
            sighting.proximity.rawValue,
            sighting.certainty,
            short.text("\(sighting.id)"),
        ]
    }
}

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
