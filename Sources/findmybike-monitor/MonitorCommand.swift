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

/// The monitor of a venue.
@main
struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "findmybike-monitor",
        abstract: "Listens for the beacons of missing bikes and reports visits to the registry.",
        discussion: """
            Settings come from arguments, the environment (FINDMYBIKE_…) and the file, in this order.
              findmybike-monitor --config /etc/findmybike/monitor.yaml --replay garage.btsnoop
              findmybike-monitor --simulate /usr/share/findmybike/scenarios/bike-passes-cafe.yaml --speed 20

            A simulation ends with a summary that compares what was simulated with what the registry has of it. Status 1:
            they differ.
            """,
        version: ProductVersion.current,
        subcommands: [OutboxCommand.self, SettingsCommand.self]
    )

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
            FileHandle.standardError.write(Data("findmybike-monitor: \(failure.message)\n".utf8))
            throw ExitCode(failure.status)
        }
    }

    private func start() async throws {
        let settings = try readSettings()
        if checkConfig { return print("The settings are in order.") }
        if let playback = try source.playback() {
            let parts = try MonitorParts(settings, playing: playback)
            try await parts.fetchList()
            try await parts.run(playback)
            try await parts.conclude(playback, json: source.summary == .json)
        } else {
            let parts = try MonitorParts(settings)
            parts.restoreList()
            let radio = try await Radio.listen(by: settings)
            try await parts.run(radio)
            try await parts.conclude(radio, json: false)
        }
    }

    func readSettings() throws(MonitorFailure) -> ProgramSettings {
        do {
            return try ProgramSettings(
                known: MonitorSettings.all,
                file: config,
                arguments: state.map { [MonitorSettings.stateFolder.key: $0] } ?? [:],
                environment: ProcessInfo.processInfo.environment
            )
        } catch {
            throw MonitorFailure(78, error.description)
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
}
