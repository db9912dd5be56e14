public import RegistryAPI

/// The reader for whom an alert is written.
public struct AlertReader: Hashable, Sendable {
    public var language: AlertLanguage
    public var zone: LocalZone

    public init(language: AlertLanguage = .en, zone: LocalZone = LocalZone()) {
        self.language = language
        self.zone = zone
    }
}
