import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

struct StationDisplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "display",
        abstract: "Screens at a venue that show which missing bikes its station hears.",
        subcommands: [Add.self, List.self, Rename.self, Revoke.self]
    )

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a code with which one screen becomes a display of a station.",
            discussion: "  findmybike station display add sprocket --name Counter")

        @OptionGroup var argument: StationArgument
        @OptionGroup var name: DisplayName
        @OptionGroup var options: CallOptions

        func run() async throws { try await commands(argument, options).add(name: name.name) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the displays of a station.", discussion: "  findmybike station display list sprocket")

        @OptionGroup var argument: StationArgument
        @OptionGroup var options: CallOptions

        func run() async throws { try await commands(argument, options).show() }
    }

    struct Rename: RegistryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rename a display.", discussion: "  findmybike station display rename sprocket counter --to Bar")

        @OptionGroup var argument: StationArgument
        @OptionGroup var display: DisplayArgument

        @Option(help: ArgumentHelp("Where the screen is, 1–64 characters.", valueName: "text"))
        var to: String

        @OptionGroup var options: CallOptions

        func run(at registry: RegistryConnection) async throws {
            let station = DisplayStation.named(try await argument.find(at: registry))
            let displays = try await registry.displays(of: station).items
            let chosen = try Choice(noun: "display", list: "findmybike station display list", id: { "\($0.id)" }) {
                [$0.name]
            }.pick(display.display, among: displays)
            let renamed = try await registry.renameDisplay(chosen.id, to: to, of: station)
            try options.show(renamed, "The display ‘\(chosen.name)’ is called ‘\(renamed.name)’ now.")
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a display: its screen no longer shows anything.",
            discussion: "  findmybike station display revoke sprocket counter")

        @OptionGroup var argument: StationArgument
        @OptionGroup var display: DisplayArgument
        @OptionGroup var options: CallOptions

        func run() async throws { try await commands(argument, options).revoke(display.display) }
    }
}

private func commands(_ argument: StationArgument, _ options: CallOptions) async throws -> DisplayCommands {
    let registry = try options.connect()
    return DisplayCommands(
        keeper: RegistryDisplays(registry: registry, station: .named(try await argument.find(at: registry))),
        page: "\(registry.url)/display", output: options.output, list: "findmybike station display list")
}
