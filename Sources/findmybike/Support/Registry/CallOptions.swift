import ArgumentParser
import CommandLines
import RegistryClient
import Settings

/// Options of a command that asks the registry and prints the answer.
struct CallOptions: ParsableArguments {
    @OptionGroup var registry: RegistryOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func settings() throws(SettingsError) -> ProgramSettings { try registry.settings() }

    func connect(responseLimit: Int? = nil) throws -> RegistryConnection {
        try registry.connect(responseLimit: responseLimit)
    }

    /// Prints an answer as JSON, or a line for people.
    func show(_ answer: some Encodable, _ line: String) throws { try output.show(answer, line) }
}
