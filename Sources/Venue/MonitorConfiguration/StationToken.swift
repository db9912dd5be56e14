public import OperatingSystem
public import Settings

extension ProgramSettings {
    /// The file of the station's token: the one named in the settings, the one loaded by the service manager, or the
    /// default.
    public var stationToken: SecretFile {
        let path = value(MonitorSettings.tokenFile)
        guard !isSet(MonitorSettings.tokenFile) else { return SecretFile(path: path) }
        // The name in the unit's `LoadCredential=`.
        return SecretFile(path: credential("station-token") ?? path)
    }
}
