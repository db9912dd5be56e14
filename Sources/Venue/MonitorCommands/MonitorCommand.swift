import ArgumentParser
import CommandSupport
import MonitorConfiguration
import Settings
import Terminal

/// The monitor of a venue.
struct MonitorCommand: AsyncParsableCommand, ConfiguredProgram {
    static let settings = MonitorSettings.all

    static let configuration = CommandConfiguration(
        commandName: MonitorProgram.name,
        abstract: "Listens for the beacons of missing bikes and reports visits to the registry.",
        discussion: """
            Arguments override the environment (FINDMYBIKE_…), which overrides the settings file.
              sudo findmybike-monitor enrol https://registry.example.org 7KQ2M-XW9TC-4HJ6D-PPZ0A
              findmybike-monitor --config /etc/findmybike/monitor.yaml --replay garage.btsnoop
              findmybike-monitor --simulate /usr/share/findmybike/scenarios/bike-passes-cafe.yaml --speed 20

            A simulation ends with a summary that compares the simulated stays with the registry’s sightings. Status 1:
            they differ.
            """,
        version: ProductVersion.current,
        subcommands: [
            CardCommand.self, ContainerCommand.self, EnrolCommand.self, OutboxCommand.self,
            SettingsCommand<MonitorCommand>.self, SupportBundleCommand.self,
        ]
    )

    @Option(help: ArgumentHelp("Settings file.", valueName: "path"))
    var config: String?

    @OptionGroup var source: SourceOptions

    @Option(help: ArgumentHelp("Folder for the outbox and the missing list.", valueName: "path"))
    var state: String?

    @Flag(help: "Check the settings and exit.")
    var checkConfig = false

    func run() async throws {
        let settings = try readSettings()
        if checkConfig {
            let checks = StartChecks(settings)
            for warning in checks.warnings { Output.remark("warning: \(warning)") }
            try checks.pass()
            return Output.line("The settings are valid.")
        }
        if let playback = try source.playback() {
            let parts = try MonitorParts(settings, playing: playback, reading: reading(config))
            try await parts.fetchList()
            try await parts.run(playback)
            try await parts.conclude(playback, source.output)
        } else {
            let parts = try MonitorParts(settings, reading: reading(config))
            parts.restoreList()
            let radios = try await Playback(radiosOf: settings)
            try await parts.run(radios)
            try await parts.conclude(radios, OutputOptions())
        }
    }

    /// - Parameter file: a file that replaces the one on the command line.
    func readSettings(from file: String? = nil) throws(SettingsError) -> ProgramSettings {
        try reading(file ?? config)()
    }

    /// A function that reads the settings, for use now or later.
    private func reading(_ file: String?) -> @Sendable () throws(SettingsError) -> ProgramSettings {
        let arguments = state.map { [MonitorSettings.stateFolder.key: $0] } ?? [:]
        return { () throws(SettingsError) in
            try ProgramSettings(
                known: MonitorSettings.all, file: file, arguments: arguments,
                environment: ExecutionEnvironment.current.variables)
        }
    }
}

/// The program of a venue, `findmybike-monitor`.
public enum MonitorProgram {
    /// The name of the program when it is started.
    public static let name = "findmybike-monitor"

    /// Runs the command on the command line, and ends the process if it fails.
    public static func main() async { await MonitorCommand.runProgram() }
}
