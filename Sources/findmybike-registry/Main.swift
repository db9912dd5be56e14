import ArgumentParser
import Foundation
import Settings
import Terminal

/// Runs the command and turns every failure into one line that says what to do and an exit status of sysexits(3).
@main
struct Main {
    static func main() async {
        do {
            var command = try FindMyBikeRegistry.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            guard let failure = CommandFailure(error) else { FindMyBikeRegistry.refuse(error) }
            for line in failure.message.split(separator: "\n") { Console.error.line("findmybike-registry: \(line)") }
            exit(failure.status.rawValue)
        }
    }
}

/// The registry's service and its operator's tools.
struct FindMyBikeRegistry: AsyncParsableCommand {
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
            RestoreCommand.self, SettingsCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )
}
