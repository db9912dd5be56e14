import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct StationMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Change a station’s place.",
        discussion: """
            Earlier sightings keep the old place; disputed sightings since then are judged again.
              findmybike station move sprocket --latitude 51.5007 --longitude -0.1246 --since "yesterday 08:00"
            """
    )

    @OptionGroup var argument: StationArgument

    @OptionGroup var location: StationPlace

    @Option(help: ArgumentHelp("The time of the move; by default now.", valueName: "time"))
    var since: Timestamp?

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let id = try await argument.find(at: registry)
        let found = try await registry.station(id)
        let moved = try await registry.changeStation(
            id, StationPatch(place: location.place, since: since), ifMatch: found.entityTag)
        try options.show(
            moved,
            "\(moved.name) has been at \(location.latitude), \(location.longitude) since \(moved.placedSince.local).")
    }
}
