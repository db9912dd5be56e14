import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Settings

/// A command that calls the registry.
protocol RegistryCommand: AsyncParsableCommand {
    var options: CallOptions { get }

    /// Runs the command with a connection that has the stored token.
    func run(at registry: RegistryConnection) async throws
}

extension RegistryCommand {
    func run() async throws { try await run(at: options.connect()) }
}

/// A command on one of the owner's bikes.
protocol OneBikeCommand: RegistryCommand {
    var argument: BikeArgument { get }

    /// Runs the command on the bike that the argument names.
    func run(on bike: Bike, at registry: RegistryConnection) async throws
}

extension OneBikeCommand {
    func run(at registry: RegistryConnection) async throws {
        try await run(on: argument.find(at: registry), at: registry)
    }
}

/// The options of a command that calls the registry and prints the response.
struct CallOptions: ParsableArguments {
    @OptionGroup var registry: RegistryOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func settings() throws(SettingsError) -> ProgramSettings { try registry.settings() }

    /// A connection to the registry with the stored token.
    ///
    /// - Parameter responseLimit: the maximum size of a response in bytes; nil for the default.
    func connect(responseLimit: Int? = nil) throws -> RegistryConnection {
        try registry.connect(responseLimit: responseLimit)
    }

    /// Prints a response as JSON, or as a line for people.
    func show(_ answer: some Encodable, _ line: String) throws { try output.show(answer, line) }
}

/// The code that confirms actions that a thief with the owner's computer must not perform.
struct RecoveryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("One of your recovery codes; needed while a bike is missing.", valueName: "code"))
    var recoveryCode: String?
}
