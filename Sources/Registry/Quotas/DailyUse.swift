public import RegistryAPI

/// An act that is limited per day, since erasing and creating again would bypass every other limit.
public enum DailyUse: String, CaseIterable, Hashable, Sendable {
    /// Identities that are issued; an identity is never released.
    case identities
    /// Addresses that become a channel's; each of them gets a message when it is removed.
    case addresses
    /// Reports that are opened; each changes every station's list, and is kept.
    case reports
    /// Tests of beacons; each puts a beacon on every station's list.
    case tests
    /// Links to searches; each is announced on all channels.
    case shares
    /// Invitations to bikes; each is announced to the bike's owner.
    case invitations
    /// Codes for stickers; conversations are counted by code.
    case codes
    /// Numbers that buyers can check, so that nobody lists the numbers of many bikes that are not theirs.
    case numbers
    /// Checks of rotating beacons' clocks; each derives thousands of identities, and can change every station's list.
    case clockChecks

    /// The number allowed per day: twice what an owner may have at a time, four times as many reports
    /// and links to searches as open reports, as many tests as bikes, a fixed number of invitations, of numbers and of
    /// checks, and a code for each bike and ten more.
    public func most(_ quotas: Quotas) -> Int {
        switch self {
        case .identities: 2 * quotas.bikes
        case .addresses: 2 * quotas.channels
        case .reports: 4 * quotas.openReports
        case .tests: quotas.bikes
        case .shares: 4 * quotas.openReports
        case .invitations: MemberRules.invitationsPerDay
        case .codes: quotas.bikes + 10
        case .numbers: NumberCheckRules.perDay
        case .clockChecks: RotationRules.checksPerDay
        }
    }

    public static let window = Duration.seconds(86_400)
}
