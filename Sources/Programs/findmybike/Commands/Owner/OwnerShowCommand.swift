import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient
import Terminal

struct OwnerShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show your account.",
        discussion: "  findmybike owner show")

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect()
        let owner = try await registry.owner()
        try owner.show(options)
    }
}

extension Owner {
    func show(_ options: CallOptions) throws {
        if options.json { return try Output.json(self) }
        Output.line("Owner \(id), since \(created.local).")
        Output.line("\(counted(recoveryCodes, "recovery code")) left.")
        Output.line(
            tellsAppearance
                ? "Stations that hear a missing bike learn what it looks like."
                : "Stations that hear a missing bike do not learn what it looks like."
        )
        Output.line("Alerts are in the language ‘\(language.rawValue)’, with times in \(zone ?? "UTC").")
        let quiet = quietHours.map { "Quiet hours are from \($0.from) to \($0.to)." }
        Output.line(quiet ?? "Alerts are sent at any time: no quiet hours are set.")
    }
}
