public import ArgumentParser
public import Settings
import Terminal

/// A program with its settings and its explanations of errors.
public protocol ConfiguredProgram: ParsableCommand {
    /// All settings of the program, in the order of its reference.
    static var settings: [any SettingDefinition] { get }

    /// Maps what people type by mistake to complete commands, such as `bike add` to `findmybike bike register`.
    static var meanings: [String: String] { get }

    /// How to write the values of options; the first advice that matches is shown.
    static var valueAdvice: [ValueAdvice] { get }

    /// The failure for an error of this program; nil for an unknown error.
    static func failure(for error: any Error) -> CommandFailure?
}

extension ConfiguredProgram {
    public static var meanings: [String: String] { [:] }
    public static var valueAdvice: [ValueAdvice] { [] }
    public static func failure(for error: any Error) -> CommandFailure? { nil }
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
