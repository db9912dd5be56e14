import ArgumentParser
import MonitorConfiguration
import Settings

/// `findmybike-monitor settings`: what can be set.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Print every setting as a Markdown table: key, value, default, meaning."
    )

    func run() { print(SettingsReference(MonitorSettings.all)) }
}
