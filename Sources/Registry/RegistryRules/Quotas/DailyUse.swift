public import RegistryAPI

/// An act that is limited per day, since erasing and creating again would bypass every other limit, and since most acts
/// leave a permanent row: in the audit, in a bike's history, or among identities and reports.
///
/// A member's acts on somebody else's bike are counted for the member, who must not use up the owner's allowances.
/// Ending something needs no allowance: it can only follow a beginning that an allowance, or a limit for strangers,
/// permitted. So an owner can always revoke a token or close a report.
public enum DailyUse: String, CaseIterable, Hashable, Sendable {
    /// Identities that are issued; an identity is never released.
    case identities
    /// Addresses that are given to channels; each gets a message when it is removed.
    case addresses
    /// Reports that are opened; each changes every station's list, and is kept.
    case reports
    /// Tests of beacons that must be proved; each puts a beacon on every station's list.
    case tests
    /// Other tests of beacons. They are few, and a beacon rests after a successful one, so that tests cannot be used to
    /// follow a planted beacon.
    case hearings
    /// Places where an owner leaves a bike.
    case parkings
    /// Links to searches; each is announced on all channels.
    case shares
    /// Invitations to bikes; each is announced to the bike's owner.
    case invitations
    /// Codes for stickers; conversations are counted by code.
    case codes
    /// Numbers that buyers can check, so that an owner cannot list the numbers of many other people's bikes.
    case numbers
    /// Checks of rotating beacons' clocks; each derives thousands of identities, and can change every station's list.
    case clockChecks
    /// Changes to a bike's description, numbers and dates.
    case bikeChanges
    /// New orders of a bike's photos.
    case photoOrders
    /// Consents to show a photo to staff, given or withdrawn.
    case photoConsents
    /// Exchanges of the beacons of two bikes.
    case exchanges
    /// Codes that transfer a bike to another owner.
    case transferOffers
    /// Changes to open and closed reports.
    case reportChanges
    /// Changes of members' roles.
    case roleChanges
    /// Changes to a channel, including its address.
    case channelChanges
    /// Messages to finders, in all conversations.
    case messages
    /// Changes to language, zone, quiet hours and the rest of an account.
    case accountChanges
    /// Tokens that are made.
    case tokens
    /// Sets of recovery codes.
    case recoveryCodes
    /// Passkeys that are added.
    case passkeys
    /// Sign-ins and confirmations with a passkey.
    case passkeyUses
    /// Sign-ins and confirmations with a token: counted separately, so that a leaked token locks out no passkey.
    case tokenUses

    /// The only table of daily allowances.
    public var allowance: DailyAllowance {
        switch self {
        case .identities: DailyAllowance(2, times: .bikes)
        case .addresses: DailyAllowance(2, times: .channels)
        case .reports: DailyAllowance(4, times: .openReports)
        case .tests: DailyAllowance(1, times: .bikes)
        case .hearings: DailyAllowance(plus: 10)
        case .parkings: DailyAllowance(plus: 100)
        case .shares: DailyAllowance(4, times: .openReports)
        case .invitations: DailyAllowance(plus: MemberRules.invitationsPerDay)
        case .codes: DailyAllowance(1, times: .bikes, plus: 10)
        case .numbers: DailyAllowance(plus: NumberCheckRules.perDay)
        case .clockChecks: DailyAllowance(plus: RotationRules.checksPerDay)
        case .bikeChanges: DailyAllowance(10, times: .bikes, plus: 50)
        case .photoOrders: DailyAllowance(2, times: .bikes, plus: 20)
        case .photoConsents: DailyAllowance(2, times: .photos, plus: 20)
        case .exchanges: DailyAllowance(1, times: .bikes, plus: 10)
        case .transferOffers: DailyAllowance(1, times: .bikes, plus: 10)
        case .reportChanges: DailyAllowance(20, times: .openReports, plus: 50)
        case .roleChanges: DailyAllowance(plus: 50)
        case .channelChanges: DailyAllowance(4, times: .channels, plus: 20)
        case .messages: DailyAllowance(plus: 200)
        case .accountChanges: DailyAllowance(plus: 50)
        case .tokens: DailyAllowance(2, times: .tokens)
        case .recoveryCodes: DailyAllowance(plus: 10)
        case .passkeys: DailyAllowance(plus: 2 * NewPasskey.most)
        case .passkeyUses: DailyAllowance(plus: 200)
        case .tokenUses: DailyAllowance(plus: 100)
        }
    }

    /// The number allowed per day to an owner with these quotas.
    public func limit(for quotas: Quotas) -> Int { allowance.limit(for: quotas) }

    /// The time in which acts are counted.
    public static let window = Duration.days(1)
}

/// The number of acts that are allowed per day: a multiple of what an owner may have at a time, plus a constant.
public struct DailyAllowance: Hashable, Sendable {
    public let factor: Int
    /// What the factor multiplies; nil if only ``extra`` counts.
    public let quota: Quota?
    /// The acts that everybody is allowed, whatever the quotas.
    public let extra: Int

    init(_ factor: Int, times quota: Quota, plus extra: Int = 0) {
        self.factor = factor
        self.quota = quota
        self.extra = extra
    }

    init(plus extra: Int) {
        factor = 0
        quota = nil
        self.extra = extra
    }

    /// The number of acts per day. Quotas are at most ``Quotas/range``, so this cannot overflow.
    func limit(for quotas: Quotas) -> Int {
        guard let quota else { return extra }
        return factor * quotas[quota] + extra
    }
}
