import ArgumentParser
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "A bike’s missing reports. ‘findmybike bike missing’ opens one.",
        subcommands: [
            ReportListCommand.self, ReportEditCommand.self, ReportCloseCommand.self, ReportConfirmCommand.self,
            ReportReferencesCommand.self, ReportSignsCommand.self,
        ]
    )
}

/// `report close` and `bike found` are one command under two names.
struct ReportCloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: BikeFoundCommand.configuration.abstract,
        discussion: "  findmybike report close brompton --outcome false-alarm"
    )

    @OptionGroup var closing: ClosingOptions

    func run() async throws { try await closing.run() }
}

/// The details of a missing report that its owner can set when it opens and later.
struct ReportDetails: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Where it was last safe, in degrees north.", valueName: "degrees"))
    var latitude: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Where it was last safe, in degrees east.", valueName: "degrees"))
    var longitude: Double?

    @Option(help: "The police’s reference.")
    var policeReference: String?

    @Option(help: "The police force that gave the reference.")
    var policeForce: String?

    @Option(help: "Anything else.")
    var note: String?

    var place: Place? {
        latitude.flatMap { latitude in longitude.map { Place(latitude: latitude, longitude: $0) } }
    }

    func validate() throws {
        guard (latitude == nil) == (longitude == nil) else {
            throw ValidationError("A place needs both --latitude and --longitude.")
        }
    }
}

struct ReportEditCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a missing report: the open or the latest one.",
        discussion: """
            Without a police reference, a report gets sightings for only 7 days.
              findmybike report edit brompton --police-reference 4471/26 --police-force "West Midlands"
              findmybike report edit brompton --hold-until 2027-06-30
            """
    )

    /// The optional details of a report.
    enum Detail: String, ExpressibleByArgument, CaseIterable {
        case place, note, hold
        case policeReference = "police-reference"
        case policeForce = "police-force"
    }

    @OptionGroup var argument: BikeArgument

    @Option(help: ArgumentHelp("When it was last safe, as in 2h ago or 18:30; open reports only.", valueName: "time"))
    var since: Timestamp?

    @OptionGroup var details: ReportDetails

    @Option(help: ArgumentHelp("Keep the sightings for a case, at most two years ahead.", valueName: "time"))
    var holdUntil: Timestamp?

    @Flag(inversion: .prefixedNo, help: "Only this registry’s stations search, and none of its partners’.")
    var onlyHere: Bool?

    @Option(help: "place, police-reference, police-force, note or hold; can be repeated.")
    var remove: [Detail] = []

    @Option(
        help: ArgumentHelp(
            "One of your recovery codes; needed to remove the police reference or to shorten a hold.",
            valueName: "code"))
    var recoveryCode: String?

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let bike = try await argument.findMissing(at: registry)
        let report = try await registry.wholeLatestReport(on: bike)
        let changed = try await registry.changeReport(report.id, on: bike.id, patch, recoveryCode: recoveryCode)
        try options.show(
            changed,
            changed == report ? "Nothing to change." : "The missing report on \(bike.make) \(bike.model) was changed.")
    }

    private var patch: MissingReportPatch {
        get throws {
            var patch = MissingReportPatch()
            try patch.set("missingSince", since)
            try patch.set("lastPlace", details.place, isRemoved: remove.contains(.place))
            try patch.set("policeReference", details.policeReference, isRemoved: remove.contains(.policeReference))
            try patch.set("policeForce", details.policeForce, isRemoved: remove.contains(.policeForce))
            try patch.set("note", details.note, isRemoved: remove.contains(.note))
            try patch.set("onlyHere", onlyHere)
            try patch.set("heldUntil", holdUntil, isRemoved: remove.contains(.hold))
            return patch
        }
    }
}

struct ReportListCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a bike’s missing reports.",
        discussion: "  findmybike report list brompton")

    @OptionGroup var argument: BikeArgument
    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let bike = try await argument.findMissing(at: registry)
        let reports = try await RegistryConnection.all { try await registry.reports(on: bike.id, after: $0) }
        if options.json { return try reports.forEach { try Output.json($0) } }
        guard !reports.isEmpty else { return Output.line("\(bike.make) \(bike.model) was never marked missing.") }
        let short = ShortIdentifiers(reports.map { "\($0.id)" })
        Output.table(
            ["ID", "MISSING SINCE", "REPORTED BY", "STATE", "POLICE", "HELD UNTIL"],
            cells: reports.map { report in
                let opener = report.openedBy ?? (bike.role == nil ? "you" : "the owner")
                let police = [report.policeForce, report.policeReference].compactMap { $0 }.joined(separator: " ")
                return [
                    Table.Cell(short.text("\(report.id)")), Table.Cell(report.missingSince.local), Table.Cell(opener),
                    Self.state(of: report), Table.Cell(police), Table.Cell(report.heldUntil?.local ?? ""),
                ]
            })
        if let remedy = reports.lazy.compactMap(\.endedSearchRemedy).first {
            Output.line("\(bike.make) \(bike.model): \(remedy)")
        }
    }

    private static func state(of report: MissingReport) -> Table.Cell {
        if let closure = report.closure {
            let recoverer = closure.recoveredBy.map { " by \($0.rawValue)" } ?? ""
            return Table.Cell(closure.outcome.words + recoverer)
        }
        if let ended = report.searchEnded {
            return Table.Cell("open, but nobody has looked for it since \(ended.local)", .alarm)
        }
        if let until = report.sightingsUntil { return Table.Cell("open, sightings until \(until.local)") }
        return Table.Cell("open until \(report.expires.local)")
    }
}
