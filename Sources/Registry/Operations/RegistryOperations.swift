package import Evidence
package import Logging
package import OperatingSystem
package import Passkeys
package import RegistryAPI
package import RegistryRules
package import RegistrySQL

/// The registry's calls as rules on a store, independent of HTTP. This is a value type; properties that are not set
/// have their defaults.
package struct RegistryOperations: Sendable {
    /// The store, which routes use directly if no rule applies.
    package let store: any RegistryStore
    /// One for each kind of channel that the settings enable.
    package var notifiers: [any Notifier] = []
    /// Whether owners may register beacons with identities of their own.
    package var givenIdentities = GivenIdentityPolicy.closed
    package var allocation = IdentityAllocation()
    /// Who may become an owner.
    package var ownerRegistration = OwnerRegistration.open
    /// How long a beacon is new after its registration (``MissingReport/newBeacon``).
    package var newBeacons = Duration.zero
    /// Who may have rotating beacons.
    package var rotatingBeacons = RotatingBeaconPolicy.everyone
    /// The registry's public URL, without a trailing slash; nil if links cannot be made.
    package var publicURL: String?
    /// The public key for browsers' subscriptions; nil if Web Push is not offered.
    package var webPushKey: String?
    /// The keyring; nil if the operator has created no key, so that nothing is signed.
    package var keyring: Keyring?
    /// The vault for keys of rotating beacons; nil if the operator has created no key file.
    package var vault: BeaconVault?
    /// The pictures of photos; nil if photos cannot be stored.
    package var photos: PhotoLibrary?
    package var challenges = PasskeyChallenges()
    /// The numbers of networks from which strangers write.
    package var findSenders = FindSenders()
    /// Whom staff should call, on displays at venues; nil if the operator has not set it.
    package var displayContact: String?
    /// Who runs the registry; nil if the operator has not set it.
    package var runner: RegistryDescription.Operator?
    /// The partners; nil if this registry can have none.
    package var partners: PartnerExchange?
    /// Whether stations may serve displays in their venues' networks.
    package var allowsOwnDisplays = false
    /// This registry's own version; nil if monitors are not to be compared with it.
    package var version: ProgramVersion?
    package var clock = WallClock.system
    package var entropy = Entropy.system
    package let logger: Logger
    /// The views of shares that are not in the database yet.
    let shareViews = ShareViews()
    /// What became of searches, counted once a day.
    let searchHistory = SearchHistory()
    /// Encodes long responses away from the threads that serve requests.
    package let longWork = LongWork(label: "registry.long-work")

    package init(store: any RegistryStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The site for which passkeys are made; nil if the public URL does not allow any.
    package var relyingParty: RelyingParty? { publicURL.flatMap { RelyingParty(publicURL: $0) } }
}
