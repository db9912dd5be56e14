import ArgumentParser
import CommandSupport
import MonitorConfiguration
import OperatingSystem
import RegistryAPI
import RegistryClient
import Settings
import StatusSocket

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
            abstract: "Revoke a display: its screen no longer shows anything.",
            discussion: "  sudo findmybike venue display revoke counter")

        @OptionGroup var display: DisplayArgument
        @OptionGroup var place: DisplayPlace

        func run() async throws { try await place.displays().revoke(display.display) }
    }
}

/// The keeper of a display: the registry or the monitor.
struct DisplayPlace: ParsableArguments {
    @Flag(help: "For screens in the venue’s network that this machine’s monitor serves itself.")
    var here = false

    @OptionGroup var station: StationOptions

    /// The commands for the displays of that keeper.
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

/// The common part of the operator's and the venue's commands for displays.
struct DisplayCommands {
    let keeper: any DisplayKeeper
    /// The page's address if the code comes without a link.
    let page: String
    let output: OutputOptions
    /// The command that lists the displays.
    let list: String

    /// Makes a code for a new display, and prints it.
    func add(name: String?) async throws {
        let code = try await keeper.add(DisplayDraft(name: name))
        Output.secretFollows(
            ifLost: "A code was made that works until \(code.expires.local), but it was not printed, so nobody has it. "
                + "Repeat this command: the next code replaces it.")
        guard !output.json else { return try Output.json(code) }
        Output.line("Open on the screen, before \(code.expires.local):")
        Output.line("  \(code.link ?? page)")
        Output.line("The code is \(code.code). It works once, and an earlier code no longer works.")
    }

    /// Lists the displays.
    func show() async throws {
        let displays = try await keeper.all()
        let short = ShortIdentifiers(displays.map { "\($0.id)" })
        try output.list(
            displays, none: "This station has no display.", ["ID", "DISPLAY", "CONNECTED", "LAST USED"]
        ) {
            [
                short.text("\($0.id)"), $0.name, $0.paired?.local ?? "the code works until \($0.expires.local)",
                $0.lastUsed?.local ?? "never",
            ]
        }
    }

    /// - Parameter display: part of its name, or the beginning of its identifier.
    func revoke(_ display: String) async throws {
        let displays = try await keeper.all()
        let chosen = try Choice(noun: "display", list: list, id: { "\($0.id)" }) { [$0.name] }
            .pick(display, among: displays)
        try await keeper.revoke(chosen.id)
        try output.show(["revoked": "\(chosen.id)"], "The display ‘\(chosen.name)’ no longer shows anything.")
    }
}

/// The keeper of displays: the registry, or the monitor on this machine.
protocol DisplayKeeper {
    /// A code that makes one screen a display.
    func add(_ draft: DisplayDraft) async throws -> DisplayCode
    func all() async throws -> [VenueDisplay]
    func revoke(_ id: DisplayID) async throws
}

/// The displays of a station that the registry serves.
struct RegistryDisplays: DisplayKeeper {
    let registry: RegistryConnection
    let station: DisplayStation

    func add(_ draft: DisplayDraft) async throws -> DisplayCode {
        try await registry.createDisplay(draft, of: station)
    }

    func all() async throws -> [VenueDisplay] { try await registry.displays(of: station).items }
    func revoke(_ id: DisplayID) async throws { try await registry.revokeDisplay(id, of: station) }
}

/// The displays that the monitor serves in the venue's network.
struct MonitorDisplays: DisplayKeeper {
    let monitor: VenueMonitor

    func add(_ draft: DisplayDraft) async throws -> DisplayCode {
        try await monitor.ask { try await $0.addDisplay(draft) }
    }
    func all() async throws -> [VenueDisplay] { try await monitor.ask { try await $0.displays() } }
    func revoke(_ id: DisplayID) async throws { try await monitor.ask { try await $0.revokeDisplay(id) } }
}

/// The name of a new display.
struct DisplayName: ParsableArguments {
    @Option(help: ArgumentHelp("Where the screen is, 1–64 characters.", valueName: "text"))
    var name: String?
}

/// The display to change.
struct DisplayArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Part of the display’s name, or the beginning of its identifier."))
    var display: String
}
