import ArgumentParser
import Settings
import Terminal

/// `findmybike settings`: what can be set.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Print every setting as a Markdown table: key, value, default, meaning.",
        discussion: "  findmybike settings"
    )

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        let reference = SettingsReference(CommandSettings.all)
        if json { Console.output.json(try reference.json) } else { Console.output.lines(reference.description) }
    }
}
