public import Concurrency
public import Evidence
public import Logging
public import Passkeys
public import RegistryAPI

/// The registry's calls as rules on a store, independent of HTTP.
public struct RegistryOperations: Sendable {
    /// The store, which routes read directly if no rule applies.
    public let store: any RegistryStore
    let notifiers: [any Notifier]
    let givenIdentities: GivenIdentityPolicy
    let allocation: IdentityAllocation
    let ownerRegistration: OwnerRegistration
    /// The registry's public URL, without a trailing slash; nil if links cannot be made.
    public let publicURL: String?
    /// The site for which passkeys are made; nil if the public URL does not allow any.
    public let relyingParty: RelyingParty?
    let challenges: PasskeyChallenges
    /// Whom staff should call, on displays at venues; nil if the operator has not set it.
    let displayContact: String?
    /// Whether stations may serve displays in their venues' networks.
    let allowsOwnDisplays: Bool
    /// The key with which browsers subscribe; nil if Web Push is not offered.
    public let webPushKey: String?
    let alertSignal: WakeUp
    /// The keyring; nil if the operator has created no key, so that nothing is signed.
    let keyring: Keyring?
    /// The signal that wakes live streams of sightings.
    public let trailSignal: TrailSignal
    /// The vault for keys of rotating beacons; nil if the operator has created no key file.
    let vault: BeaconVault?
    /// The pictures of photos; nil if photos cannot be stored.
    let photos: PhotoLibrary?
    let findSignal: WakeUp
    /// The numbers of networks from which strangers write.
    public let findSenders: FindSenders
    let shareViews = ShareViews()
    /// Encodes long answers.
    public let longWork = LongWork(label: "registry.long-work")
    let judgementSignal: WakeUp
    /// This registry's own version; nil if monitors are not to be compared with it.
    let version: ProgramVersion?
    let entropy: Entropy
    let logger: Logger
    public let clock: WallClock

    public init(
        store: any RegistryStore,
        notifiers: [any Notifier],
        givenIdentities: GivenIdentityPolicy = .closed,
        allocation: IdentityAllocation = IdentityAllocation(),
        ownerRegistration: OwnerRegistration = .open,
        publicURL: String? = nil,
        webPushKey: String? = nil,
        alertSignal: WakeUp = WakeUp(),
        keyring: Keyring? = nil,
        trailSignal: TrailSignal = TrailSignal(),
        findSignal: WakeUp = WakeUp(),
        judgementSignal: WakeUp = WakeUp(),
        photos: PhotoLibrary? = nil,
        vault: BeaconVault? = nil,
        challenges: PasskeyChallenges = PasskeyChallenges(),
        findSenders: FindSenders = FindSenders(),
        displayContact: String? = nil,
        allowsOwnDisplays: Bool = false,
        version: ProgramVersion? = nil,
        clock: WallClock = .system,
        entropy: Entropy = .system,
        logger: Logger
    ) {
        self.store = store
        self.notifiers = notifiers
        self.givenIdentities = givenIdentities
        self.allocation = allocation
        self.ownerRegistration = ownerRegistration
        self.publicURL = publicURL
        relyingParty = publicURL.flatMap { RelyingParty(publicURL: $0) }
        self.challenges = challenges
        self.displayContact = displayContact
        self.allowsOwnDisplays = allowsOwnDisplays
        self.webPushKey = webPushKey
        self.alertSignal = alertSignal
        self.keyring = keyring
        self.trailSignal = trailSignal
        self.findSignal = findSignal
        self.judgementSignal = judgementSignal
        self.photos = photos
        self.vault = vault
        self.findSenders = findSenders
        self.version = version
        self.clock = clock
        self.entropy = entropy
        self.logger = logger
    }

    /// Whether browsers can make passkeys for a registry with this public URL, so that people can sign up there.
    public static func takesPasskeys(at publicURL: String?) -> Bool {
        publicURL.flatMap { RelyingParty(publicURL: $0) } != nil
    }
}
