import ArgumentParser
import Logging
import Registry
import RegistrySQLite
import Settings

/// `findmybike-registry operator …`: what is done offline, on the server itself.
struct OperatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator",
        abstract: "Manage operators.",
        subcommands: [OperatorCreateCommand.self]
    )
}

/// `findmybike-registry operator create`: prints a new operator's token once.
struct OperatorCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an operator and print its token, which is shown this once.",
        discussion: """
            The registry must not be running: only one program opens its database at a time.
              findmybike-registry operator create --config /etc/findmybike/registry.yaml > operator-token
            """
    )

    @OptionGroup var options: SettingsOptions
    @OptionGroup var output: OutputOptions

    @Option(name: .long, help: ArgumentHelp("Who the operator is, 1 to 64 characters.", valueName: "name"))
    var name = "operator"

    func validate() throws {
        guard (1...64).contains(name.unicodeScalars.count) else {
            throw ValidationError("The name must have 1 to 64 characters.")
        }
    }

    func run() async throws {
        let settings = try options.settings()
        let store = try SQLiteRegistryStore(path: try settings.required(RegistrySettings.database))
        let operations = RegistryOperations(
            store: store, notifiers: [], alertSignal: AlertSignal(), logger: Logger(label: "findmybike-registry")
        )
        let token = try await operations.createOperator(name: name)
        try output.show("\(token)", ["name": name, "token": "\(token)"])
    }
}
