import ArgumentParser
import RegistryAPI

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
