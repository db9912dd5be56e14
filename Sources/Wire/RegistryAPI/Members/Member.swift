/// What a member may do with somebody else's bike; each role includes the previous ones.
public enum MemberRole: String, Codable, CaseIterable, Hashable, Sendable {
    /// Sees the bike, its photos, its reports and their sightings, and is alerted to sightings.
    case see
    /// Also reports the bike missing, changes and closes the report, and dismisses and acknowledges sightings.
    case report
    /// Also changes the bike's description and photos, and invites and removes members with the roles `see` and
    /// `report`.
    case manage
}

/// A member of a bike: somebody other than its owner who has a role on it.
public struct Member: Codable, Hashable, Sendable {
    public var id: MemberID
    /// The name that the inviter gave, 1–64 characters. The registry knows no other name.
    public var label: String
    public var role: MemberRole
    /// The time of joining.
    public var since: Timestamp
    /// The member who sent the invitation; absent if the bike's owner did, or if that member is gone.
    public var invitedBy: MemberID?
    /// Whether the member is the caller.
    public var current: Bool

    public init(
        id: MemberID, label: String, role: MemberRole, since: Timestamp, invitedBy: MemberID? = nil,
        current: Bool = false
    ) {
        self.id = id
        self.label = label
        self.role = role
        self.since = since
        self.invitedBy = invitedBy
        self.current = current
    }
}

/// Body of `PUT /v1/bikes/{id}/members/{member}/role`.
public struct MemberRoleChange: Codable, Hashable, Sendable {
    public var role: MemberRole

    public init(role: MemberRole) { self.role = role }
}

/// A bike of somebody else, in the export of a member's data.
public struct Membership: Codable, Hashable, Sendable {
    public var bike: SightingAlert.BikeSummary
    public var member: Member

    public init(bike: SightingAlert.BikeSummary, member: Member) {
        self.bike = bike
        self.member = member
    }
}

/// The limits of memberships.
public enum MemberRules {
    /// The maximum number of members of a bike.
    public static let mostMembers = 10
    /// The maximum number of open invitations of a bike.
    public static let mostInvitations = 10
    /// The maximum number of bikes of others of which an owner can be a member.
    public static let mostMemberships = 50
    /// The maximum number of invitations that an owner can make in a day.
    public static let invitationsPerDay = 20
    /// The time for which an invitation can be accepted.
    public static let invitationLifetime = Duration.days(7)
}

extension MemberRoleChange: WireObject {
    public static let blank = MemberRoleChange(role: .see)

    public mutating func describe(_ fields: inout some FieldCoder) { fields.required("role", &role, .choice()) }
}
