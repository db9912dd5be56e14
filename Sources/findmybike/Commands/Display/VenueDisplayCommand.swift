import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct VenueDisplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "display",
        abstract: "Screens that show which missing bikes this station hears.",
        discussion: """
            With the station’s token, so with sudo. Without a subcommand, this makes a code.
              sudo findmybike venue display
            """,
        subcommands: [Add.self, List.self, Revoke.self],
        defaultSubcommand: Add.self
    )

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a code with which one screen becomes a display of this station.",
            discussion: "  sudo findmybike venue display add --name Counter")

        @OptionGroup var name: DisplayName
        @OptionGroup var station: StationOptions

        func run() async throws { try await station.displays().add(name: name.name) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the displays of this station.", discussion: "  sudo findmybike venue display list")

        @OptionGroup var station: StationOptions

        func run() async throws { try await station.displays().show() }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a display: its screen shows nothing any more.",
            discussion: "  sudo findmybike venue display revoke counter")

        @OptionGroup var display: DisplayArgument
        @OptionGroup var station: StationOptions

        func run() async throws { try await station.displays().revoke(display.display) }
    }
}

extension StationOptions {
    fileprivate func displays() throws -> DisplayCommands {
        DisplayCommands(
            registry: try connect(), station: .own, output: format, list: "findmybike venue display list")
    }
}
