import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct StationRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take a station’s token away for good.",
        discussion: """
            With --quarantine-since, what it told from that time on stays, but is disputed. Repeat the command to go
            further back. ‘station show’ shows how far the registry has come with judging all of it again.
              findmybike station revoke sprocket --yes --quarantine-since "2 days ago"
            """
    )

    @OptionGroup var argument: StationArgument

    @Option(help: ArgumentHelp("Dispute its sightings from this time on.", valueName: "time"))
    var quarantineSince: Timestamp?

    @Flag(help: "Do it: a revoked station has to be enrolled again.")
    var yes = false

    @OptionGroup var options: CallOptions

    func validate() throws {
        guard yes else { throw ValidationError("A revoked station has to be enrolled again: add --yes to do it.") }
    }

    func run() async throws {
        let registry = try options.connect()
        let id = try await argument.find(at: registry)
        let station = try await registry.revokeStation(id, quarantineSince: quarantineSince)
        if options.json { return try Output.json(station) }
        let quarantined = station.quarantinedSince.map { " Its sightings since \($0.local) are disputed." }
        Output.line("\(station.name) is revoked.\(quarantined ?? "")")
    }
}
