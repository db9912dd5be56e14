import CommandSupport
import Evidence
import Foundation
import Passkeys
import RegistryHTTP
import RegistryPostgreSQL
import RegistryRules
import Settings
import Syntax

/// The parts of a registry that settings and files determine, before it opens its database and its ports.
///
/// `serve` starts with it, and `serve --check-config` stops after it, so that both accept the same settings.
struct RegistryParts {
    let address: ListenAddress
    let metricsAddress: ListenAddress?
    let database: DatabasePlace
    /// The findings of the database check, in sentences; nil if there are none.
    let databaseFindings: String?
    let server: ServerOptions
    let channels: ChannelNotifiers
    let map: MapSource
    /// The keyring; nil if no key is configured, so that requests for evidence packs are refused.
    let keyring: Keyring?

    /// The vault for keys of rotating beacons; nil if no key is configured, so that there are none.
    let vault: BeaconVault?

    private let trustsProxies: Bool
    private let publicURL: String?

    /// - Parameter note: called with a description before work that may take long.
    /// - Throws: the problem; a ``SettingsError`` that lists them all if there are several.
    init(_ settings: ProgramSettings, note: (String) -> Void = { _ in }) throws {
        var problems = Problems()
        let address = settings.value(RegistrySettings.listen)
        let metricsAddress = settings.value(RegistrySettings.metricsListen)
        problems.catching { try Self.checkAddresses([address, metricsAddress].compactMap { $0 }) }
        problems.catching { try Self.checkCredentials(settings) }
        problems.catching { try Self.checkAuthorities(settings) }
        let database = problems.catching {
            let place = try DatabasePlace(settings)
            if case .server(let server) = place { note("connecting to the database at \(server.hosts)") }
            return (place: place, findings: try place.examine())
        }
        let server = problems.catching { try ServerOptions(settings) }
        let channels = problems.catching { try ChannelNotifiers(settings) }
        let keyring = problems.catching {
            try settings.value(RegistrySettings.keyFile).map { try KeyringFile(path: $0).read() }
        }
        let vault = problems.catching {
            try settings.value(RegistrySettings.beaconKeyFile).map { try BeaconVaultFile(path: $0).read() }
        }
        let map = problems.catching { try MapSource(settings) }
        try problems.rethrow()
        // All steps have succeeded, so none of these is nil.
        guard let database, let server, let channels, let keyring, let vault, let map else {
            throw SettingsError(["the settings cannot be used"])
        }
        self.address = address
        self.metricsAddress = metricsAddress
        self.database = database.place
        databaseFindings = database.findings
        self.server = server
        trustsProxies = settings.isSet(RegistrySettings.trustedProxies)
        publicURL = settings.value(RegistrySettings.publicURL)
        self.channels = channels
        self.map = map
        self.keyring = keyring
        self.vault = vault
    }

    /// Things that an operator should change, although the registry starts.
    var warnings: [String] { [plainWarning, browserWarning].compactMap(\.self) }

    /// Advice about an address that other machines can reach without TLS; nil if there is none, or if a proxy is
    /// configured.
    private var plainWarning: String? {
        let isLocal = address.host.begins(with: "127.") || ["::1", "localhost"].contains(address.host)
        guard !isLocal, server.tls == nil, !trustsProxies else { return nil }
        return
            "other machines can reach \(address) without TLS, so tokens are sent unencrypted: set tls.certificate "
            + "and tls.key, or listen on 127.0.0.1 behind a proxy"
    }

    /// Advice about an address at which browsers make no passkeys; nil if they do.
    private var browserWarning: String? {
        guard publicURL.flatMap({ RelyingParty(publicURL: $0) }) == nil else { return nil }
        return
            "nobody can sign up or sign in with a browser"
            + (publicURL == nil ? ", and alerts have no links" : " at \(publicURL ?? "")")
            + ": set publicURL to the address of this registry, as https:// and the name of a host"
    }

    /// Checks that this machine has the addresses, and that all of them differ. It does not check whether a port is
    /// free, because the registry whose settings are checked may be running.
    ///
    /// - Parameter addresses: that of the registry, and that of metrics if there is one.
    private static func checkAddresses(_ addresses: [ListenAddress]) throws {
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
        let missing = RegistrySettings.files.filter { settings.value($0)?.begins(with: "%d/") ?? false }
        guard !missing.isEmpty else { return }
        throw SettingsError(
            missing.map { "\($0.key) is a credential, which systemd loads only for its services: set it in the unit" }
        )
    }

    /// Checks certificates of authorities. Otherwise they would first be read in use, too late to report an error.
    private static func checkAuthorities(_ settings: ProgramSettings) throws {
        for setting in [RegistrySettings.apnsAuthority, RegistrySettings.mailAuthority] {
            guard let path = settings.value(setting), !path.begins(with: "%d/"), access(path, R_OK) != 0 else {
                continue
            }
            throw SettingsError(["\(setting.key): \(path) cannot be read: \(String(cString: strerror(errno)))"])
        }
    }
}

/// Collects the errors of independent steps.
private struct Problems {
    private var errors: [any Error] = []

    /// The result of a step; nil if it has thrown an error, which is kept.
    @discardableResult
    mutating func catching<Result>(_ step: () throws -> Result) -> Result? {
        do {
            return try step()
        } catch {
            errors.append(error)
            return nil
        }
    }

    /// Throws a single error unchanged. Several errors count as invalid settings, unless one of them may be temporary,
    /// such as a missing network: systemd does not restart a registry with invalid settings.
    func rethrow() throws {
        guard let first = errors.first else { return }
        guard errors.count > 1 else { throw first }
        let invalid = SettingsError(errors.map { "\($0)" })
        let failures = errors.compactMap { CommandFailure(common: $0) ?? CommandFailure($0) }
        guard let passing = failures.first(where: \.isTransient) else { throw invalid }
        throw CommandFailure(passing.status, invalid.description)
    }
}
