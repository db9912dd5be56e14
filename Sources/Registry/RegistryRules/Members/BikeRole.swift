public import RegistryAPI

/// What a caller may do with a bike; each role includes the previous ones. Every operation on a bike states the role
/// that it needs.
public enum BikeRole: Int, CaseIterable, Comparable, Hashable, Sendable {
    case see = 1
    case report
    case manage
    case owner

    public init(_ role: MemberRole) {
        self =
            switch role {
            case .see: .see
            case .report: .report
            case .manage: .manage
            }
    }

    /// The member's role; nil for the owner.
    public var member: MemberRole? {
        switch self {
        case .see: .see
        case .report: .report
        case .manage: .manage
        case .owner: nil
        }
    }

    public static func < (left: BikeRole, right: BikeRole) -> Bool { left.rawValue < right.rawValue }

    /// The role that is needed to give, change or take away a member's role: only the owner decides about managers.
    public static func needed(toGive role: MemberRole) -> BikeRole { role == .manage ? .owner : .manage }
}

extension Bike {
    /// The bike as a caller with this role sees it. Only the owner sees how the beacon is tested and proved, and where
    /// the bike was left. Only those who may change notes and dates see them.
    public func shown(to role: BikeRole) -> Bike {
        guard role != .owner else { return self }
        var bike = self
        bike.role = role.member
        bike.pending = nil
        bike.test = nil
        bike.parked = nil
        guard role < .manage else { return bike }
        bike.notes = nil
        bike.upkeep = nil
        return bike
    }
}

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
