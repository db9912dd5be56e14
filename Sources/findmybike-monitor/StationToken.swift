import MonitorConfiguration
import Settings

/// Where the station's token is.
enum StationToken {
    /// What the unit calls it in `LoadCredential=`.
    private static let credential = "station-token"

    /// The file that the settings name, or else what the service manager has loaded, or else the default.
    static func file(_ settings: ProgramSettings) -> PrivateFile {
        let path = settings.value(MonitorSettings.tokenFile) ?? ""
        guard !settings.isSet(MonitorSettings.tokenFile) else { return PrivateFile(path: path) }
        return PrivateFile(path: settings.credential(credential) ?? path)
    }
}
