import ArgumentParser
import CommandLines
import Settings

@main
struct Main {
    static func main() async { await FindMyBikeRegistry.runProgram { CommandFailure($0) } }
}

/// The registry's service and the tools for its operator.
struct FindMyBikeRegistry: AsyncParsableCommand, ConfiguredProgram {
    static let settings = RegistrySettings.all

    static let configuration = CommandConfiguration(
        commandName: "findmybike-registry",
        abstract: "Stores bikes, stations and sightings, and alerts owners.",
        discussion: """
            An operator's first steps:
              findmybike-registry operator create --config /etc/findmybike/registry.yaml
              findmybike-registry serve --config /etc/findmybike/registry.yaml
            """,
        version: ProductVersion.current,
        subcommands: [
            ServeCommand.self, OperatorCommand.self, KeyCommand.self, AuditCommand.self, BackupCommand.self,
            RestoreCommand.self, SettingsCommand<FindMyBikeRegistry>.self,
        ],
        defaultSubcommand: ServeCommand.self
    )
}
