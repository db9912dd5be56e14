import ArgumentParser
import RegistryAPI
import RegistryClient

struct StationRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take a station’s token away for good.",
        discussion: """
            With --quarantine-since, what it told from that time on stays, but is disputed. Repeat the command to go
            further back. ‘station show’ tells how far the registry has come with judging all of it anew.
              findmybike station revoke 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 --yes --quarantine-since 2026-11-20T00:00:00Z
            """
    )

    @Argument(help: "The station’s identifier.")
    var id: StationID

    @Option(help: ArgumentHelp("Dispute what it told from this time on.", valueName: "time"))
    var quarantineSince: Timestamp?

    @Flag(help: "Do it: a revoked station has to be enrolled anew.")
    var yes = false

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard yes else { throw ValidationError("A revoked station has to be enrolled anew: add --yes to do it.") }
    }

    func run() async throws {
        let registry = try options.connect()
        let station = try await patiently { try await registry.revokeStation(id, quarantineSince: quarantineSince) }
        if output.json { return try Output.json(station) }
        let quarantined = station.quarantinedSince.map { " What it told since \($0.local) is disputed." }
        Output.line("\(station.name) is revoked.\(quarantined ?? "")")
    }
}
