/// The reason why a call about members, or by a member, is refused.
public enum MembershipRefusal: Hashable, Sendable {
    /// The caller sees the bike, but the call needs this role.
    case roleNeeded(BikeRole)
    case membersFull
    case invitationsFull
    /// The caller is a member of too many bikes.
    case tooManyMemberships
    /// The caller is the bike's owner, or a member already.
    case alreadyMember
    /// The invitation is unknown, used, cancelled or expired; the caller does not learn which.
    case invitationUnusable
}
