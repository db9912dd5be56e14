import ArgumentParser
import CommandSupport
import Diagnosis
import Foundation
import MonitorCommands
import MonitorConfiguration
import Settings
import Syntax
import Terminal

/// The settings that the doctor examines: a monitor's, or the user's own.
struct ExaminedSettings {
    let holder: TokenHolder
    /// The location; nil if no monitor's settings were given.
    let location: LocationSettings?
    /// False if a monitor listens only with receivers in its network.
    let usesAdapters: Bool
    /// Asks the registry; that of the settings, with their token.
    let registry: @Sendable () async -> RegistryState
    /// Tries the receivers of a monitor's settings.
    let receivers: @Sendable () async -> ReceiverStates

    /// - Parameters:
    ///   - config: a monitor's settings file; nil for the user's own settings.
    ///   - registry: an address that overrides the settings.
    ///   - tokenFile: a file that overrides the settings.
    init(config: String?, registry: String?, tokenFile: String?) {
        holder = config == nil ? .owner : .station
        do {
            let given = try Self.read(config, registry, tokenFile)
            location = given.location
            usesAdapters = given.usesAdapters
            self.registry = Self.probe(given, as: holder)
            receivers = { [monitor = given.monitor] in
                guard let monitor else { return .configured([]) }
                return await ReceiverProbe.states(monitor)
            }
        } catch {
            location = nil
            usesAdapters = true
            let reason = error.description.replacing(scalars: ["\n": "; "])
            self.registry = { .invalidSettings(reason) }
            receivers = { .configured([]) }
        }
    }

    /// What the settings say.
    private struct Given {
        let url: String?
        /// The PEM file of the authority behind the registry's certificate; nil for the system's authorities.
        let authority: String?
        let tokenFile: String
        let location: LocationSettings?
        /// The monitor's settings; nil if the user's own are examined.
        var monitor: ProgramSettings?

        var usesAdapters: Bool {
            monitor?.value(MonitorSettings.radioBackend) != MonitorSettings.receiversOnly
        }
    }

    /// Reads the settings; the parameters are those of the initialiser.
    private static func read(
        _ config: String?, _ registry: String?, _ tokenFile: String?
    ) throws(SettingsError) -> Given {
        guard let config else {
            var options = RegistryOptions()
            options.registry = registry
            options.tokenFile = tokenFile
            options.config = nil
            let settings = try options.settings()
            return Given(
                url: settings.value(CommandSettings.registryURL),
                authority: settings.value(CommandSettings.certificateAuthority).map(HomePath.expand),
                tokenFile: TokenFile(settings).path, location: nil)
        }
        var arguments: [String: String] = [:]
        arguments[MonitorSettings.registryURL.key] = registry
        arguments[MonitorSettings.tokenFile.key] = tokenFile
        let settings = try ProgramSettings(
            known: MonitorSettings.all, file: config, arguments: arguments,
            environment: ExecutionEnvironment.current.variables)
        return Given(
            url: settings.value(MonitorSettings.registryURL),
            authority: settings.value(MonitorSettings.certificateAuthority),
            tokenFile: settings.value(MonitorSettings.tokenFile),
            location: LocationSettings(
                latitude: settings.value(MonitorSettings.latitude), longitude: settings.value(MonitorSettings.longitude)
            ),
            monitor: settings)
    }

    /// Asks the registry with the token, or says why there is none.
    private static func probe(_ given: Given, as holder: TokenHolder) -> @Sendable () async -> RegistryState {
        var token: String?
        var missing: String?
        do throws(CommandFailure) {
            token = try TokenFile(path: given.tokenFile).read()
        } catch {
            missing = error.message
        }
        return RegistryProbe.asking(
            given.url, token: token, missingToken: missing, authority: given.authority, as: holder,
            program: "findmybike")
    }
}
