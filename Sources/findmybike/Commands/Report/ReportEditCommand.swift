import ArgumentParser
import CommandLines
import Foundation
import RegistryAPI
import RegistryClient

struct ReportEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a missing report: the open one, or else the latest.",
        discussion: """
            Without a police reference a report yields sightings for 7 days only.
              findmybike report edit brompton --police-reference 4471/26 --police-force "West Midlands"
              findmybike report edit brompton --hold-until 2027-06-30
            """
    )

    /// What a report can be without.
    enum Detail: String, ExpressibleByArgument, CaseIterable {
        case place, note, hold
        case policeReference = "police-reference"
        case policeForce = "police-force"
    }

    @OptionGroup var argument: BikeArgument

    @Option(help: "The police’s reference.")
    var policeReference: String?

    @Option(help: "The police force that gave the reference.")
    var policeForce: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Where it was last safe, in degrees north.", valueName: "degrees"))
    var latitude: Double?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Where it was last safe, in degrees east.", valueName: "degrees"))
    var longitude: Double?

    @Option(help: "Anything else.")
    var note: String?

    @Option(help: ArgumentHelp("Keep the sightings for a case, at most two years ahead.", valueName: "time"))
    var holdUntil: Timestamp?

    @Option(help: "place, police-reference, police-force, note or hold; can be given several times.")
    var remove: [Detail] = []

    @Option(
        help: ArgumentHelp(
            "One of your recovery codes; needed to remove the police reference or to shorten a hold.",
            valueName: "code"))
    var recoveryCode: String?

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (latitude == nil) == (longitude == nil) else {
            throw ValidationError("A place needs both --latitude and --longitude.")
        }
    }

    func run() async throws {
        let registry = try options.connect()
        let bike = try await argument.findMissing(at: registry)
        let report = try await registry.wholeLatestReport(on: bike)
        let changed = try await registry.changeReport(report.id, on: bike.id, patch, recoveryCode: recoveryCode)
        try output.show(
            changed,
            changed == report ? "Nothing to change." : "The missing report on \(bike.make) \(bike.model) is changed.")
    }

    private var patch: MissingReportPatch {
        let place = latitude.flatMap { latitude in longitude.map { Place(latitude: latitude, longitude: $0) } }
        return MissingReportPatch(
            lastPlace: change(.place, place), policeReference: change(.policeReference, policeReference),
            policeForce: change(.policeForce, policeForce), note: change(.note, note),
            heldUntil: change(.hold, holdUntil)
        )
    }

    private func change<Value>(_ detail: Detail, _ value: Value?) -> Change<Value> {
        if let value { return .set(value) }
        return remove.contains(detail) ? .remove : .keep
    }
}
