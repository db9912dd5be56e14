import ArgumentParser
import CommandLines
import MonitorStatus
import RegistryAPI
import RegistryClient

/// What the operator's and the venue's commands for displays have in common.
struct DisplayCommands {
    let keeper: any DisplayKeeper
    /// Where the page is if the code comes without a link.
    let page: String
    let output: OutputOptions
    /// The command that lists the displays.
    let list: String

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

    func revoke(_ display: String) async throws {
        let displays = try await keeper.all()
        let chosen = try Choice(noun: "display", list: list, id: { "\($0.id)" }) { [$0.name] }
            .pick(display, among: displays)
        try await keeper.revoke(chosen.id)
        try output.show(["revoked": "\(chosen.id)"], "The display ‘\(chosen.name)’ shows nothing any more.")
    }
}

/// Who keeps displays: the registry, or the monitor on this machine.
protocol DisplayKeeper {
    func add(_ draft: DisplayDraft) async throws -> DisplayCode
    func all() async throws -> [VenueDisplay]
    func revoke(_ id: DisplayID) async throws
}

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
