import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

/// `findmybike bike edit`: changes or removes details of a bike.
struct BikeEditCommand: OneBikeCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a bike’s details.",
        discussion: """
            Details that you do not name stay unchanged; --remove deletes details that strangers never see. You get reminders \
            30 and 7 days before each date that you set.
              findmybike bike edit brompton --colour blue --remove plate
              findmybike bike edit brompton --insurance-ends 2027-06-30 --battery CR2477 --battery-fitted 2026-11-21
            """
    )

    /// The details of a bike that can be removed.
    enum Detail: String, ExpressibleByArgument, CaseIterable {
        case year, serial, vin, plate, notes
        case engineNumber = "engine-number"
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

    @Option(help: "Engine number.")
    var engineNumber: String?

    @Option(help: "Licence plate.")
    var plate: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Let anyone who knows the serial number or the VIN check while the bike is missing that it is.")
    var buyerCheck: Bool?

    @Option(help: "Notes.")
    var notes: String?

    @OptionGroup(title: "Dates that you are reminded of") var upkeep: UpkeepOptions

    @Option(
        help: ArgumentHelp(
            "One of \(Detail.allCases.map(\.rawValue).joined(separator: ", ")); can be repeated.",
            valueName: "detail"
        )
    )
    var remove: [Detail] = []

    @OptionGroup var options: CallOptions

    func run(on bike: Bike, at registry: RegistryConnection) async throws {
        let changed = try await registry.changeBike(bike.id, patch)
        try options.show(
            changed, changed == bike ? "Nothing to change." : "\(changed.make) \(changed.model) was changed.")
    }

    private var patch: BikePatch {
        get throws {
            var patch = BikePatch()
            try patch.set("kind", kind)
            try patch.set("make", make)
            try patch.set("model", model)
            try patch.set("colours", colours.isEmpty ? nil : colours)
            try patch.set("year", year, isRemoved: remove.contains(.year))
            try patch.set("serial", serial, isRemoved: remove.contains(.serial))
            try patch.set("vin", vin, isRemoved: remove.contains(.vin))
            try patch.set("engineNumber", engineNumber, isRemoved: remove.contains(.engineNumber))
            try patch.set("plate", plate, isRemoved: remove.contains(.plate))
            try patch.set("buyerCheck", buyerCheck)
            try patch.set("notes", notes, isRemoved: remove.contains(.notes))
            let dates = try upkeepPatch
            try patch.set("upkeep", dates.isEmpty ? nil : dates)
            return patch
        }
    }

    private var upkeepPatch: Patch<BikeUpkeep> {
        get throws {
            var patch = Patch<BikeUpkeep>()
            try patch.set("inspectionDue", upkeep.inspectionDue, isRemoved: remove.contains(.inspectionDue))
            try patch.set("insuranceEnds", upkeep.insuranceEnds, isRemoved: remove.contains(.insuranceEnds))
            try patch.set("taxDue", upkeep.taxDue, isRemoved: remove.contains(.taxDue))
            try patch.set(
                "breakdownCoverEnds", upkeep.breakdownCoverEnds, isRemoved: remove.contains(.breakdownCoverEnds))
            try patch.set(
                "breakdownCoverNumber", upkeep.breakdownCoverNumber, isRemoved: remove.contains(.breakdownCoverNumber))
            try patch.set("battery", upkeep.battery, isRemoved: remove.contains(.battery))
            try patch.set("batteryFitted", upkeep.batteryFitted, isRemoved: remove.contains(.batteryFitted))
            try patch.set("batteryMonths", upkeep.batteryMonths, isRemoved: remove.contains(.batteryMonths))
            return patch
        }
    }
}
