import ArgumentParser
import CommandLines
import MonitorConfiguration
import RegistryAPI
import RegistryClient
import Settings
import System

struct VenueDisplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "display",
        abstract: "Screens that show which missing bikes this station hears.",
        discussion: """
            With the station’s token, so with sudo. Without a subcommand, this makes a code. With --here, the monitor
            itself serves the screen, also while the registry cannot be reached (its setting display.listen).
              sudo findmybike venue display
              sudo findmybike venue display add --here
            """,
        subcommands: [Add.self, List.self, Revoke.self],
        defaultSubcommand: Add.self
    )

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a code with which one screen becomes a display of this station.",
            discussion: "  sudo findmybike venue display add --name Counter")

        @OptionGroup var name: DisplayName
        @OptionGroup var place: DisplayPlace

        func run() async throws { try await place.displays().add(name: name.name) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the displays of this station.", discussion: "  sudo findmybike venue display list")

        @OptionGroup var place: DisplayPlace

        func run() async throws { try await place.displays().show() }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a display: its screen shows nothing any more.",
            discussion: "  sudo findmybike venue display revoke counter")

        @OptionGroup var display: DisplayArgument
        @OptionGroup var place: DisplayPlace

        func run() async throws { try await place.displays().revoke(display.display) }
    }
}

/// Who keeps a display: the registry, or the monitor.
struct DisplayPlace: ParsableArguments {
    @Flag(help: "For screens in the venue’s network that this machine’s monitor serves itself.")
    var here = false

    @OptionGroup var station: StationOptions

    func displays() throws -> DisplayCommands {
        let list = "findmybike venue display list"
        guard here else {
            let registry = try station.connect()
            return DisplayCommands(
                keeper: RegistryDisplays(registry: registry, station: .own), page: "\(registry.url)/display",
                output: station.format, list: list)
        }
        let settings = try station.settings()
        let port = settings.value(MonitorSettings.displayListen).flatMap(Endpoint.init).map { "\($0.port)" } ?? "PORT"
        return DisplayCommands(
            keeper: MonitorDisplays(monitor: try VenueMonitor(settings)),
            page: "http://ADDRESS:\(port)/display, with this machine’s address", output: station.format,
            list: list + " --here")
    }
}
