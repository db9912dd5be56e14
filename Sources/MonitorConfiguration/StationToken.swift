public import Files
public import Settings

extension ProgramSettings {
    /// The file of the station's token: the one that the settings name, or one that the service manager has loaded, or the
    /// default.
    public var stationToken: SecretFile {
        let path = value(MonitorSettings.tokenFile)
        guard !isSet(MonitorSettings.tokenFile) else { return SecretFile(path: path) }
        // The name in the unit's `LoadCredential=`.
        return SecretFile(path: credential("station-token") ?? path)
    }
}
