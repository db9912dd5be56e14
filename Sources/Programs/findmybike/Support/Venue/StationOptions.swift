import ArgumentParser
import CommandSupport
import Foundation
import HTTPClient
import MonitorConfiguration
import OperatingSystem
import RegistryClient
import Settings
import Terminal

/// The options of a command that calls the registry as the station of this machine.
struct StationOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The monitor’s settings file.", valueName: "path"))
    var config: String?

    @OptionGroup var format: OutputOptions

    /// The settings file of the package's unit.
    private static let standard = "/etc/findmybike/monitor.yaml"

    /// The monitor's settings.
    func settings() throws -> ProgramSettings {
        let standard = FileManager.default.fileExists(atPath: Self.standard) ? Self.standard : nil
        return try ProgramSettings(
            known: MonitorSettings.all, file: config ?? standard, arguments: [:],
            environment: ExecutionEnvironment.current.variables)
    }

    /// A connection to the registry with the station's token.
    func connect() throws -> RegistryConnection {
        let settings = try settings()
        guard let url = settings.value(MonitorSettings.registryURL) else {
            throw CommandFailure(
                .configuration,
                "this machine is not a station yet: enrol it with ‘sudo findmybike-monitor enrol’, or name the monitor’s "
                    + "settings with --config")
        }
        let file = settings.stationToken
        guard let token = file.read(), !token.isEmpty else {
            throw CommandFailure(
                .noPermission, "the station’s token cannot be read from \(file.path): use sudo on the monitor’s machine"
            )
        }
        let configuration = HTTPConfiguration(
            userAgent: "findmybike/\(FindMyBike.configuration.version)",
            certificateAuthorityFile: settings.value(MonitorSettings.certificateAuthority))
        return try RegistryConnection(
            url: url, token: token, http: try HTTPConnection(configuration), retries: .forPeople)
    }
}
