import RegistryHTTP
import Settings

extension ServerOptions {
    init(_ settings: ProgramSettings) throws {
        var limits = RateLimits()
        for (kind, setting) in RegistrySettings.limits { limits[kind] = try settings.required(setting) }
        let trusted = RegistrySettings.addressRanges(try settings.required(RegistrySettings.trustedProxies))
        let field = ForwardingField(rawValue: try settings.required(RegistrySettings.forwardingField))
        self.init(
            limits: limits,
            proxies: TrustedProxies(trusted ?? [], field: field ?? .xForwardedFor),
            timeouts: try ConnectionTimeouts(settings),
            maximumConnections: try settings.required(RegistrySettings.maximumConnections),
            connectionsPerClient: try settings.required(RegistrySettings.connectionsPerClient),
            tls: try Self.tlsFiles(settings),
            security: SecurityContact(
                contacts: settings.value(RegistrySettings.securityContact).flatMap(RegistrySettings.contacts) ?? [],
                policy: settings.value(RegistrySettings.securityPolicy),
                publicURL: settings.value(RegistrySettings.publicURL)
            )
        )
    }

    private static func tlsFiles(_ settings: ProgramSettings) throws -> TLSFiles? {
        switch (settings.value(RegistrySettings.certificate), settings.value(RegistrySettings.key)) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return try TLSFiles(certificate: certificate, key: key)
        default: throw SettingsError(["tls.certificate and tls.key must be set together, or both left out"])
        }
    }
}

extension ConnectionTimeouts {
    fileprivate init(_ settings: ProgramSettings) throws {
        func seconds(_ setting: Setting<Int>) throws -> Duration { .seconds(try settings.required(setting)) }
        self.init(
            header: try seconds(RegistrySettings.headerTimeout), body: try seconds(RegistrySettings.bodyTimeout),
            idle: try seconds(RegistrySettings.idleTimeout), write: try seconds(RegistrySettings.writeTimeout)
        )
    }
}
