import RegistryHTTP
import Settings

extension ServerOptions {
    /// - Throws: ``SettingsError`` if only one of certificate and key is set; the error of reading them.
    init(_ settings: ProgramSettings) throws {
        var limits = RateLimits()
        for (kind, setting) in RegistrySettings.limits { limits[kind] = settings.value(setting) }
        self.init(
            limits: limits,
            proxies: TrustedProxies(
                settings.value(RegistrySettings.trustedProxies), field: settings.value(RegistrySettings.forwardingField)
            ),
            timeouts: ConnectionTimeouts(settings),
            maximumConnections: settings.value(RegistrySettings.maximumConnections),
            connectionsPerClient: settings.value(RegistrySettings.connectionsPerClient),
            tls: try Self.tlsFiles(settings),
            security: SecurityContact(
                contacts: settings.value(RegistrySettings.securityContact) ?? [],
                policy: settings.value(RegistrySettings.securityPolicy),
                publicURL: settings.value(RegistrySettings.publicURL)
            )
        )
    }

    /// The files for TLS; nil if they are not set.
    private static func tlsFiles(_ settings: ProgramSettings) throws -> TLSFiles? {
        switch (settings.value(RegistrySettings.certificate), settings.value(RegistrySettings.key)) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return try TLSFiles(certificate: certificate, key: key)
        default: throw SettingsError(["tls.certificate and tls.key must be set together, or both left out"])
        }
    }
}

extension ConnectionTimeouts {
    fileprivate init(_ settings: ProgramSettings) {
        func seconds(_ setting: DefaultedSetting<Int>) -> Duration { .seconds(settings.value(setting)) }
        self.init(
            header: seconds(RegistrySettings.headerTimeout), body: seconds(RegistrySettings.bodyTimeout),
            idle: seconds(RegistrySettings.idleTimeout), write: seconds(RegistrySettings.writeTimeout)
        )
    }
}
