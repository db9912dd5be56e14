import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct BikeEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a bike’s details.",
        discussion: """
            Details that you do not name stay; --remove takes away details that only you see. You are reminded 30 and 7 days before each
            date that you set.
              findmybike bike edit brompton --colour blue --remove plate
              findmybike bike edit brompton --insurance-ends 2027-06-30 --battery CR2477 --battery-fitted 2026-11-21
            """
    )

    /// Details that a bike can be without.
    enum Detail: String, ExpressibleByArgument, CaseIterable {
        case year, serial, vin, plate, notes
        case inspectionDue = "inspection-due"
        case insuranceEnds = "insurance-ends"
        case taxDue = "tax-due"
        case breakdownCoverEnds = "breakdown-cover-ends"
        case breakdownCoverNumber = "breakdown-cover-number"
        case battery
        case batteryFitted = "battery-fitted"
        case batteryMonths = "battery-months"
    }

    @OptionGroup var argument: BikeArgument

    @Option(help: "motorbike, scooter, bicycle or other.")
    var kind: BikeKind?

    @Option(help: "Its maker, 1–64 characters.")
    var make: String?

    @Option(help: "Its model, 1–64 characters.")
    var model: String?

    @Option(name: [.customLong("colour"), .customLong("color")], help: "Up to three, the main one first.")
    var colours: [BikeColour] = []

    @Option(help: "Year of manufacture.")
    var year: Int?

    @Option(help: "Frame or serial number.")
    var serial: String?

    @Option(help: "Vehicle identification number.")
    var vin: String?

    @Option(help: "Licence plate.")
    var plate: String?

    @Option(help: "Notes.")
    var notes: String?

    @OptionGroup(title: "Dates that you are reminded of") var upkeep: UpkeepOptions

    @Option(
        help: ArgumentHelp(
            "One of \(Detail.allCases.map(\.rawValue).joined(separator: ", ")); can be given several times.",
            valueName: "detail"
        )
    )
    var remove: [Detail] = []

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let bike = try await argument.find(at: registry)
        let changed = try await registry.changeBike(bike.id, patch)
        try options.show(
            changed, changed == bike ? "Nothing to change." : "\(changed.make) \(changed.model) is changed.")
    }

    private var patch: BikePatch {
        BikePatch(
            kind: kind, make: make, model: model, colours: colours.isEmpty ? nil : colours,
            year: change(.year, year), serial: change(.serial, serial), vin: change(.vin, vin),
            plate: change(.plate, plate), notes: change(.notes, notes),
            upkeep: upkeepPatch == BikeUpkeepPatch() ? .keep : .set(upkeepPatch)
        )
    }

    private var upkeepPatch: BikeUpkeepPatch {
        BikeUpkeepPatch(
            inspectionDue: change(.inspectionDue, upkeep.inspectionDue),
            insuranceEnds: change(.insuranceEnds, upkeep.insuranceEnds), taxDue: change(.taxDue, upkeep.taxDue),
            breakdownCoverEnds: change(.breakdownCoverEnds, upkeep.breakdownCoverEnds),
            breakdownCoverNumber: change(.breakdownCoverNumber, upkeep.breakdownCoverNumber),
            battery: change(.battery, upkeep.battery), batteryFitted: change(.batteryFitted, upkeep.batteryFitted),
            batteryMonths: change(.batteryMonths, upkeep.batteryMonths)
        )
    }

    private func change<Value>(_ detail: Detail, _ value: Value?) -> Change<Value> {
        if let value { return .set(value) }
        return remove.contains(detail) ? .remove : .keep
    }
}
