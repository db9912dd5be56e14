import RegistryRules

extension DailyUse {
    /// The act that the caller has performed as often as is allowed.
    private var deed: String {
        switch self {
        case .identities: "registered as many beacons"
        case .addresses: "set as many channel addresses"
        case .reports: "reported as many bikes missing"
        case .shares: "made as many links"
        case .tests, .hearings: "tested beacons as often"
        case .parkings: "parked bikes as often"
        case .invitations: "made as many invitations"
        case .codes: "made as many codes for stickers"
        case .numbers: "let buyers check as many numbers"
        case .clockChecks: "checked rotating beacons as often"
        case .bikeChanges: "changed bikes as often"
        case .photoOrders: "reordered photos as often"
        case .photoConsents: "shown or hidden as many photos"
        case .exchanges: "exchanged beacons as often"
        case .transferOffers: "offered bikes to others as often"
        case .reportChanges: "changed missing reports as often"
        case .roleChanges: "changed members’ roles as often"
        case .channelChanges: "changed channels as often"
        case .messages: "sent as many messages"
        case .accountChanges: "changed the account’s settings as often"
        case .tokens: "made as many tokens"
        case .recoveryCodes: "replaced the recovery codes as often"
        case .passkeys: "added as many passkeys"
        case .passkeyUses: "used passkeys as often"
        case .tokenUses: "signed in with a token as often"
        }
    }

    /// A sentence for the caller who has done this as often as is allowed.
    var limitation: String { "You have \(deed) in the last 24 hours as this registry allows." }
}
