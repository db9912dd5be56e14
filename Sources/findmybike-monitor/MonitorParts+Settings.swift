import Foundation
import HTTPClient
import Logging
import Monitor
import MonitorConfiguration
import Presence
import RegistryClient
import Settings

// What the parts are made of, as the settings say.
extension MonitorParts {
    /// Whether the settings fit together, as far as that can be told without reaching for anything.
    static func check(_ settings: ProgramSettings) throws(MonitorFailure) {
        do {
            _ = try settings.required(MonitorSettings.registryURL)
            _ = try presence(settings)
            let venue = try VenueSettings.venue(settings, playing: nil)
            _ = try VenueSettings.receiver(settings, venue, Logger(label: "check"))
        } catch let failure as MonitorFailure {
            throw failure
        } catch {
            throw MonitorFailure(78, "\(error)")
        }
    }

    static func logLevel(_ settings: ProgramSettings) -> Logger.Level {
        settings.value(MonitorSettings.logLevel).flatMap(Logger.Level.init(rawValue:)) ?? .info
    }

    static func presence(_ settings: ProgramSettings) throws -> PresenceConfiguration {
        try PresenceConfiguration(
            enterFrames: settings.value(MonitorSettings.enterFrames) ?? 2,
            enterWithin: .seconds(settings.value(MonitorSettings.enterWithin) ?? 10),
            lostAfter: .seconds(settings.value(MonitorSettings.lostAfter) ?? 180)
        )
    }

    static func token(_ settings: ProgramSettings) throws(MonitorFailure) -> String {
        let file = StationToken.file(settings)
        guard let token = file.read() else {
            throw MonitorFailure(
                78,
                "the station’s token cannot be read from \(file.path): ‘sudo findmybike-monitor enrol URL CODE’ writes "
                    + "it, for the user that the service runs as")
        }
        guard !token.isEmpty else {
            throw MonitorFailure(78, "\(file.path) is empty: write the station’s token into it")
        }
        return token
    }

    /// A connection of its own for each service, so that the list never delays a report.
    static func connect(
        _ settings: ProgramSettings, _ token: String, _ way: RegistryConnection.Way?,
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
            way: way
        )
    }
}
