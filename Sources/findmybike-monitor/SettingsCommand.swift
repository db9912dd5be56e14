import ArgumentParser
import MonitorConfiguration
import Settings
import Terminal

/// `findmybike-monitor settings`: what can be set.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Print every setting as a Markdown table: key, value, default, meaning.",
        discussion: "  findmybike-monitor settings"
    )

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        let reference = SettingsReference(MonitorSettings.all)
        if json { Console.output.json(try reference.json) } else { Console.output.lines(reference.description) }
    }
}
