public import RegistryAPI

/// An invitation to store.
public struct NewMemberInvitation: Hashable, Sendable {
    public var details: MemberInvitation
    public var bike: BikeID
    public var digest: SecretDigest

    public init(_ details: MemberInvitation, bike: BikeID, digest: SecretDigest) {
        self.details = details
        self.bike = bike
        self.digest = digest
    }
}

/// Members of bikes, and invitations to become one.
public protocol MemberStore: Sendable {
    /// Adds an invitation, and notifies the bike's owner on all channels. A repeated call gives the first call's
    /// invitation this secret, since the earlier one cannot be shown again.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `membersFull`, `invitationsFull`, `tooManyToday`, `ownerSuspended`,
    ///   `idempotencyKeyReused`; `invitationUnusable` if the first call's invitation is no longer open.
    func inviteMember(
        _ invitation: NewMemberInvitation, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> MemberInvitation

    /// The open invitations of a bike, in the order of their creation.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    func memberInvitations(of bike: BikeID, by owner: OwnerID, at time: Timestamp) async throws -> [MemberInvitation]

    /// - Throws: `notFound`, `roleNeeded`.
    func cancelMemberInvitation(_ id: InvitationID, of bike: BikeID, by act: OwnerAct) async throws

    /// What an invitation offers.
    ///
    /// - Throws: `invitationUnusable`.
    func membershipOffer(_ digest: SecretDigest, at time: Timestamp) async throws -> MembershipOffer

    /// Makes the owner who acts a member of the invitation's bike, and notifies the bike's owner on all channels.
    ///
    /// - Throws: `invitationUnusable`, `alreadyMember`, `membersFull`, `tooManyMemberships`, `idempotencyKeyReused`.
    func join(_ digest: SecretDigest, by act: OwnerAct, once: IdempotencyKey?) async throws -> Bike

    /// The members of a bike, in the order of their joining; for a caller who does not manage the bike, only the caller.
    ///
    /// - Throws: `notFound`.
    func members(of bike: BikeID, by owner: OwnerID) async throws -> [Member]

    /// Changes a member's role, and notifies the bike's owner on all channels.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    func changeRole(of member: MemberID, on bike: BikeID, to role: MemberRole, by act: OwnerAct) async throws -> Member

    /// Removes a member, who may be the caller, with all invitations that the member made, and notifies the bike's owner
    /// on all channels, and the member.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    func removeMember(_ id: MemberID, of bike: BikeID, by act: OwnerAct) async throws
}
