import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct StationMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Tell where a station stands now.",
        discussion: """
            What it heard before keeps the former place; what was disputed since then is judged again.
              findmybike station move sprocket --latitude 51.5007 --longitude -0.1246 --since "yesterday 08:00"
            """
    )

    @OptionGroup var argument: StationArgument

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees north.", valueName: "degrees"))
    var latitude: Double

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees east.", valueName: "degrees"))
    var longitude: Double

    @Option(help: ArgumentHelp("How exactly the place is known.", valueName: "metres"))
    var accuracy: Double?

    @Option(help: ArgumentHelp("Since when it stands there; now if absent.", valueName: "time"))
    var since: Timestamp?

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connect()
        let id = try await argument.find(at: registry)
        let found = try await registry.station(id)
        let patch = StationPatch(
            place: Place(latitude: latitude, longitude: longitude, accuracy: accuracy), since: since
        )
        let moved = try await registry.changeStation(id, patch, ifMatch: found.entityTag)
        try output.show(moved, "\(moved.name) stands at \(latitude), \(longitude) since \(moved.placedSince.local).")
    }
}
