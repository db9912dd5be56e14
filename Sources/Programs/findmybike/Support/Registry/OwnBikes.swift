import Beacons
import RegistryAPI
import RegistryClient
import Settings
import Terminal

/// The user's own bikes among the beacons heard. Listening needs no account: without an account or a network, the
/// result is empty.
enum OwnBikes {
    /// The names of the bikes, by beacon.
    static func names(_ options: RegistryOptions) async -> [BeaconIdentity: String] {
        guard let settings = try? options.settings(), TokenFile(settings).exists,
            settings.value(CommandSettings.registryURL) != nil,
            let registry = try? options.connect(timeout: .seconds(5), retries: nil),
            let bikes = try? await Progress.during("reading your bikes", { try await registry.bikes() })
        else { return [:] }
        let names = bikes.items.map {
            ($0.identity, "\($0.make) \($0.model)\($0.openReport == nil ? "" : ", MISSING")")
        }
        return Dictionary(names) { first, _ in first }
    }
}
