import Evidence
import Foundation
import Registry
import RegistryHTTP
import RegistrySQLite
import Settings

/// The parts of a registry that settings and files determine, before it opens its database and its ports.
///
/// `serve` starts with it, and `serve --check-config` stops after it, so that both accept the same settings.
struct RegistryParts {
    let address: ListenAddress
    let metricsAddress: ListenAddress?
    let database: String
    let server: ServerOptions
    let channels: ChannelNotifiers
    let map: MapSource
    /// The keyring; nil if no key is configured, so that requests for evidence packs are refused.
    let keyring: Keyring?

    private let trustsProxies: Bool

    /// - Throws: the problem; a ``SettingsError`` that lists them all if there are several.
    init(_ settings: ProgramSettings) throws {
        var problems = Problems()
        let address = settings.value(RegistrySettings.listen)
        let metricsAddress = settings.value(RegistrySettings.metricsListen)
        let database = settings.value(RegistrySettings.database)
        problems.catching { try Self.check([address, metricsAddress].compactMap { $0 }) }
        problems.catching { try Self.checkCredentials(settings) }
        problems.catching { try Self.checkAuthorities(settings) }
        problems.catching { try SQLiteRegistryStore.examine(path: database) }
        let server = problems.catching { try ServerOptions(settings) }
        let channels = problems.catching { try ChannelNotifiers(settings) }
        let keyring = problems.catching {
            try settings.value(RegistrySettings.keyFile).map { try KeyringFile(path: $0).read() }
        }
        let map = problems.catching { try MapSource(settings) }
        try problems.rethrow()
        guard let server, let channels, let keyring, let map else {
            throw SettingsError(["the settings cannot be used"])
        }
        self.address = address
        self.metricsAddress = metricsAddress
        self.database = database
        self.server = server
        trustsProxies = settings.isSet(RegistrySettings.trustedProxies)
        self.channels = channels
        self.map = map
        self.keyring = keyring
    }

    /// Advice about an address that other machines can reach without TLS; nil if there is none, or if a proxy is
    /// configured.
    var plainWarning: String? {
        let isLocal = address.host.hasPrefix("127.") || ["::1", "localhost"].contains(address.host)
        guard !isLocal, server.tls == nil, !trustsProxies else { return nil }
        return
            "other machines can reach \(address) without TLS, so tokens are sent unencrypted: set tls.certificate "
            + "and tls.key, or listen on 127.0.0.1 behind a proxy"
    }

    /// Checks that this machine has the addresses, and that all of them differ. It does not check whether a port is
    /// free, because the registry whose settings are checked may be running.
    private static func check(_ addresses: [ListenAddress]) throws {
        if addresses.count == 2, addresses[0].conflicts(with: addresses[1]) {
            throw SettingsError(["listen and metrics.listen are both \(addresses[1].port): give each its own port"])
        }
        for (address, setting) in zip(addresses, [RegistrySettings.listen.key, RegistrySettings.metricsListen.key]) {
            switch address.obstacle {
            case nil: continue
            case .unknownHost: throw ListenError(address: address, setting: setting, code: nil)
            case .refused(let code): throw ListenError(address: address, setting: setting, code: code)
            }
        }
    }

    /// Checks credentials, which exist only if systemd has started the service with them.
    private static func checkCredentials(_ settings: ProgramSettings) throws {
        let missing = RegistrySettings.files.filter { settings.value($0)?.hasPrefix("%d/") ?? false }
        guard !missing.isEmpty else { return }
        throw SettingsError(
            missing.map { "\($0.key) is a credential, which systemd loads only for its services: set it in the unit" }
        )
    }

    /// Checks certificates of authorities, since they are otherwise first read in use, which is too late to report an
    /// error.
    private static func checkAuthorities(_ settings: ProgramSettings) throws {
        for setting in [RegistrySettings.apnsAuthority, RegistrySettings.mailAuthority] {
            guard let path = settings.value(setting), !path.hasPrefix("%d/"), access(path, R_OK) != 0 else { continue }
            throw SettingsError(["\(setting.key): \(path) cannot be read: \(String(cString: strerror(errno)))"])
        }
    }
}

/// Collects the errors of independent steps.
private struct Problems {
    private var errors: [any Error] = []

    @discardableResult
    mutating func catching<Result>(_ step: () throws -> Result) -> Result? {
        do {
            return try step()
        } catch {
            errors.append(error)
            return nil
        }
    }

    /// Throws a single error unchanged.
    func rethrow() throws {
        guard let first = errors.first else { return }
        throw errors.count == 1 ? first : SettingsError(errors.map { "\($0)" })
    }
}
