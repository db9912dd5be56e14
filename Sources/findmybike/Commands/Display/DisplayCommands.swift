import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

/// What the operator's and the venue's commands for displays have in common.
struct DisplayCommands {
    let registry: RegistryConnection
    let station: DisplayStation
    let output: OutputOptions
    /// The command that lists the displays.
    let list: String

    func add(name: String?) async throws {
        let code = try await registry.createDisplay(DisplayDraft(name: name), of: station)
        guard !output.json else { return try Output.json(code) }
        Output.line("Open on the screen, before \(code.expires.local):")
        Output.line("  \(code.link ?? "\(registry.url)/display")")
        Output.line("The code is \(code.code). It works once, and an earlier code no longer works.")
    }

    func show() async throws {
        let displays = try await registry.displays(of: station).items
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
        let displays = try await registry.displays(of: station).items
        let chosen = try Choice(noun: "display", list: list, id: { "\($0.id)" }) { [$0.name] }
            .pick(display, among: displays)
        try await registry.revokeDisplay(chosen.id, of: station)
        try output.show(["revoked": "\(chosen.id)"], "The display ‘\(chosen.name)’ shows nothing any more.")
    }
}

/// The name of a new display.
struct DisplayName: ParsableArguments {
    @Option(help: ArgumentHelp("Where the screen is, 1–64 characters.", valueName: "text"))
    var name: String?
}

/// The display to revoke.
struct DisplayArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Part of the display’s name, or the beginning of its identifier."))
    var display: String
}
