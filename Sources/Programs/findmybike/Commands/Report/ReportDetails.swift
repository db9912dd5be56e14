import ArgumentParser
import RegistryAPI

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
