import ArgumentParser
import CommandLines
import RegistryClient
import Settings

/// The options of a command that calls the registry and prints the response.
struct CallOptions: ParsableArguments {
    @OptionGroup var registry: RegistryOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func settings() throws(SettingsError) -> ProgramSettings { try registry.settings() }

    func connect(responseLimit: Int? = nil) throws -> RegistryConnection {
        try registry.connect(responseLimit: responseLimit)
    }

    /// Prints a response as JSON, or as a line for people.
    func show(_ answer: some Encodable, _ line: String) throws { try output.show(answer, line) }
}
