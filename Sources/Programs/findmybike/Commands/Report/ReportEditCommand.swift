import ArgumentParser
import CommandLines
import Foundation
import RegistryAPI
import RegistryClient

struct ReportEditCommand: AsyncParsableCommand {
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

    @Option(help: "place, police-reference, police-force, note or hold; can be repeated.")
    var remove: [Detail] = []

    @Option(
        help: ArgumentHelp(
            "One of your recovery codes; needed to remove the police reference or to shorten a hold.",
            valueName: "code"))
    var recoveryCode: String?

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
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
            try patch.set("heldUntil", holdUntil, isRemoved: remove.contains(.hold))
            return patch
        }
    }
}
