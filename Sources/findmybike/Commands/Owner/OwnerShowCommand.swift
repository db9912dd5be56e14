import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OwnerShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show your account.",
        discussion: "  findmybike owner show")

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let registry = try options.connect()
        let owner = try await registry.owner()
        try owner.show(output)
    }
}

extension Owner {
    func show(_ output: OutputOptions) throws {
        if output.json { return try Output.json(self) }
        Output.line("Owner \(id), since \(created.local).")
        Output.line("\(counted(recoveryCodes, "recovery code")) left.")
        Output.line(
            tellsAppearance
                ? "Stations that hear a missing bike are told what it looks like."
                : "Stations that hear a missing bike are not told what it looks like."
        )
        Output.line("Alerts come in the language ‘\(language.rawValue)’, with times in \(zone ?? "UTC").")
        let quiet = quietHours.map { "Nothing rings from \($0.from) to \($0.to)." }
        Output.line(quiet ?? "Alerts come at any time: no quiet hours are set.")
    }
}
