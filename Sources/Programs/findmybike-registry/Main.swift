import ArgumentParser
import CommandSupport
import Foundation
import PhotoFiles
import RegistrySQLite
import Settings

@main
struct Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        // Before anything else starts: the process then gives up its rights.
        guard arguments.first != ConvertingProcess.argument else {
            exit(ConvertingProcess.run(Array(arguments.dropFirst())))
        }
        // Checks of the settings already look into the database.
        SQLiteLibrary.configure()
        await FindMyBikeRegistry.runProgram()
    }
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
            RestoreCommand.self, MigrateCommand.self, AfterRestoreCommand.self,
            SettingsCommand<FindMyBikeRegistry>.self,
        ],
        defaultSubcommand: ServeCommand.self
    )

    static func failure(for error: any Error) -> CommandFailure? { CommandFailure(error) }
}
