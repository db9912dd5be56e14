import CommandSupport
import HTTPClient
import Logging
import MissingList
import Monitor
import MonitorConfiguration
import OperatingSystem
import Presence
import RegistryClient
import Settings

// Values derived from the settings.
extension MonitorParts {
    static func logLevel(_ settings: ProgramSettings) -> Logger.Level {
        Logger.Level(rawValue: settings.value(MonitorSettings.logLevel)) ?? .info
    }

    /// The limit in bytes: the longest list, and 1 MiB for everything else. A response is in memory as a whole.
    static func listResponseLimit(_ settings: ProgramSettings) -> Int {
        1 << 20 + MissingIdentities.longestEncoding(count: settings.value(MonitorSettings.listMaximum))
    }

    static func presence(_ settings: ProgramSettings) throws -> PresenceConfiguration {
        try PresenceConfiguration(
            enterFrames: settings.value(MonitorSettings.enterFrames),
            enterWithin: .seconds(settings.value(MonitorSettings.enterWithin)),
            lostAfter: .seconds(settings.value(MonitorSettings.lostAfter))
        )
    }

    static func token(_ settings: ProgramSettings) throws(CommandFailure) -> String {
        let file = settings.stationToken
        guard let token = file.read() else {
            throw CommandFailure(
                .configuration,
                "the station’s token cannot be read from \(file.path): ‘sudo findmybike-monitor enrol URL CODE’ writes "
                    + "it, for the user that the service runs as")
        }
        guard !token.isEmpty else {
            throw CommandFailure(.configuration, "\(file.path) is empty: write the station’s token into it")
        }
        return token
    }

    /// A separate connection for each service, so that the list never delays a report.
    static func connect(
        _ settings: ProgramSettings, _ token: String, _ transport: RegistryConnection.Transport?,
        responseLimit: Int = 4 << 20
    ) throws -> RegistryConnection {
        let configuration = HTTPConfiguration(
            responseLimit: responseLimit,
            userAgent: "findmybike-monitor/\(ProductVersion.current)",
            certificateAuthorityFile: settings.value(MonitorSettings.certificateAuthority)
        )
        return try RegistryConnection(
            url: try settings.required(MonitorSettings.registryURL), token: token,
            http: try HTTPConnection(configuration),
            transport: transport
        )
    }
}
