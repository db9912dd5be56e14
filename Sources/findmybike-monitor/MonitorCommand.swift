import ArgumentParser
import Foundation
import HTTPClient
import Logging
import Monitor
import MonitorConfiguration
import Presence
import RegistryAPI
import RegistryClient
import ServiceLifecycle
import Settings
import Terminal

/// The monitor of a venue.
@main
struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "findmybike-monitor",
        abstract: "Listens for the beacons of missing bikes and reports visits to the registry.",
        discussion: """
            Settings come from arguments, the environment (FINDMYBIKE_…) and the file, in this order.
              sudo findmybike-monitor enrol https://registry.example.org 7KQ2M-XW9TC-4HJ6D-PPZ0A
              findmybike-monitor --config /etc/findmybike/monitor.yaml --replay garage.btsnoop
              findmybike-monitor --simulate /usr/share/findmybike/scenarios/bike-passes-cafe.yaml --speed 20

            A simulation ends with a summary that compares what was simulated with what the registry has of it. Status 1:
            they differ.
            """,
        version: ProductVersion.current,
        subcommands: [EnrolCommand.self, OutboxCommand.self, SettingsCommand.self, SupportBundleCommand.self]
    )

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            refuse(error)
        }
    }

    @Option(help: ArgumentHelp("Settings file.", valueName: "path"))
    var config: String?

    @OptionGroup var source: SourceOptions

    @Option(help: ArgumentHelp("Folder for the outbox and the missing list.", valueName: "path"))
    var state: String?

    @Flag(help: "Check the settings and stop.")
    var checkConfig = false

    func run() async throws {
        do {
            try await start()
        } catch let failure as MonitorFailure {
            throw failure.told()
        }
    }

    private func start() async throws {
        let settings = try readSettings()
        if checkConfig {
            let checks = StartChecks(settings)
            for warning in checks.warnings { MonitorFailure(0, "warning: \(warning)").tell() }
            try checks.pass()
            return Console.output.line("The settings are in order.")
        }
        if let playback = try source.playback() {
            let parts = try MonitorParts(settings, playing: playback, reading: reading(config))
            try await parts.fetchList()
            try await parts.run(playback)
            try await parts.conclude(playback, json: source.summary == .json)
        } else {
            let parts = try MonitorParts(settings, reading: reading(config))
            parts.restoreList()
            let radio = try await ConfiguredRadios.listen(by: settings)
            try await parts.run(radio)
            try await parts.conclude(radio, json: false)
        }
    }

    /// - Parameter file: instead of the one of this command line.
    func readSettings(from file: String? = nil) throws(MonitorFailure) -> ProgramSettings {
        do {
            return try reading(file ?? config)()
        } catch {
            throw MonitorFailure(error.isUnreadable ? 66 : 78, error.description)
        }
    }

    /// Reads the settings, now or later.
    private func reading(_ file: String?) -> @Sendable () throws(SettingsError) -> ProgramSettings {
        let arguments = state.map { [MonitorSettings.stateFolder.key: $0] } ?? [:]
        return { () throws(SettingsError) in
            try ProgramSettings(
                known: MonitorSettings.all, file: file, arguments: arguments,
                environment: ProcessInfo.processInfo.environment)
        }
    }
}

/// Why the monitor did not start or did not finish, with an exit status of sysexits(3).
struct MonitorFailure: Error {
    let status: Int32
    let message: String

    init(_ status: Int32, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Whether the same call may succeed later.
    var isRepeatable: Bool { status == 69 || status == 75 }

    /// Says it to people; the status is for the shell.
    func told() -> ExitCode {
        tell()
        return ExitCode((ExitStatus(rawValue: status) ?? .software).rawValue)
    }

    /// Says it, each line under the program's name.
    func tell() {
        for line in message.split(separator: "\n") {
            Console.error.line("findmybike-monitor: \(line)")
        }
    }
}
