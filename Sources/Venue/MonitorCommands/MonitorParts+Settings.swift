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

// Parts that need only the settings.
extension MonitorParts {
    /// The level from which lines are logged; `info` if the setting has no valid one.
    static func logLevel(_ settings: ProgramSettings) -> Logger.Level {
        Logger.Level(rawValue: settings.value(MonitorSettings.logLevel)) ?? .info
    }

    /// The maximum size in bytes of a response with the missing list: the longest list, and 1 MiB for everything else. A
    /// response is in memory as a whole.
    static func listResponseLimit(_ settings: ProgramSettings) -> Int {
        1 << 20 + MissingIdentities.longestEncoding(count: settings.value(MonitorSettings.listMaximum))
    }

    /// When a bike counts as present, and when as lost.
    static func presence(_ settings: ProgramSettings) throws -> PresenceConfiguration {
        try PresenceConfiguration(
            enterFrames: settings.value(MonitorSettings.enterFrames),
            enterWithin: .seconds(settings.value(MonitorSettings.enterWithin)),
            lostAfter: .seconds(settings.value(MonitorSettings.lostAfter))
        )
    }

    /// The station's token, from its file.
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

    /// A connection to the registry. Each service has its own, so that the list never delays a report.
    ///
    /// - Parameters:
    ///   - transport: a simulated network; nil for the real one.
    ///   - responseLimit: the maximum size of a response's body in bytes; by default 4 MiB.
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
