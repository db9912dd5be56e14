import ArgumentParser
import RegistryAPI

/// The dates for reminders to a bike's owner.
struct UpkeepOptions: ParsableArguments {
    @Option(help: ArgumentHelp("When the next inspection (MOT) is due, as in 2027-03-31.", valueName: "date"))
    var inspectionDue: CalendarDate?

    @Option(help: ArgumentHelp("When the insurance ends.", valueName: "date"))
    var insuranceEnds: CalendarDate?

    @Option(help: ArgumentHelp("When the tax is due.", valueName: "date"))
    var taxDue: CalendarDate?

    @Option(help: ArgumentHelp("When the breakdown cover ends.", valueName: "date"))
    var breakdownCoverEnds: CalendarDate?

    @Option(help: ArgumentHelp("The breakdown cover’s number.", valueName: "number"))
    var breakdownCoverNumber: String?

    @Option(
        help: ArgumentHelp(
            "The battery in the beacon: \(BeaconBattery.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "type"
        )
    )
    var battery: BeaconBattery?

    @Option(help: ArgumentHelp("When that battery was fitted.", valueName: "date"))
    var batteryFitted: CalendarDate?

    @Option(help: ArgumentHelp("How long it lasts, if not the usual time: 1–120.", valueName: "months"))
    var batteryMonths: Int?
}
