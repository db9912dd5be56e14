import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct StationRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a station’s token permanently.",
        discussion: """
            With --quarantine-since, its sightings since that time are kept, but disputed. Repeat the command to go \
            further back. ‘station show’ shows the progress of judging them again.
              findmybike station revoke sprocket --yes --quarantine-since "2 days ago"
            """
    )

    @OptionGroup var argument: StationArgument

    @Option(help: ArgumentHelp("Dispute its sightings since this time.", valueName: "time"))
    var quarantineSince: Timestamp?

    @Flag(help: "Confirm: a revoked station has to be enrolled again.")
    var yes = false

    @OptionGroup var options: CallOptions

    func validate() throws {
        guard yes else { throw ValidationError("A revoked station has to be enrolled again: add --yes to confirm.") }
    }

    func run() async throws {
        let registry = try options.connect()
        let id = try await argument.find(at: registry)
        let station = try await registry.revokeStation(id, quarantineSince: quarantineSince)
        if options.json { return try Output.json(station) }
        let quarantined = station.quarantinedSince.map { " Its sightings since \($0.local) are disputed." }
        Output.line("\(station.name) was revoked.\(quarantined ?? "")")
    }
}
