public import ArgumentParser
public import Settings
import Terminal

/// A program that has settings.
public protocol ConfiguredProgram: ParsableCommand {
    static var settings: [any SettingDefinition] { get }
}

/// `settings`: lists all settings of a program.
public struct SettingsCommand<Program: ConfiguredProgram>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "settings",
            abstract: "Print every setting as a Markdown table: key, value, default, meaning.",
            discussion: "  \(Program._commandName) settings"
        )
    }

    @OptionGroup var output: OutputOptions

    public init() {}

    public func run() throws {
        let reference = SettingsReference(Program.settings)
        if output.json { Console.output.json(try reference.json) } else { Console.output.lines(reference.description) }
    }
}
