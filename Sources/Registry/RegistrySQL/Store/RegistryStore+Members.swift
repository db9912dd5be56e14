package import RegistryAPI
package import RegistryRules

/// Members of bikes, and invitations to become one.
extension RegistryStore {
    /// Adds an invitation, and notifies the bike's owner on all channels. A repeated call gives the first call's
    /// invitation this secret, since the earlier one cannot be shown again.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `membersFull`, `invitationsFull`, `tooManyToday`, `ownerSuspended`,
    ///   `idempotencyKeyReused`; `invitationUnusable` if the first call's invitation is no longer open.
    public func inviteMember(
        _ invitation: NewMemberInvitation, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> MemberInvitation {
        try await write { [quotas] db in try MemberInvitations(db).add(invitation, by: act, once: once, quotas) }
    }

    /// The open invitations of a bike, in the order of their creation.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    public func memberInvitations(
        of bike: BikeID, by owner: OwnerID, at time: Timestamp
    ) async throws -> [MemberInvitation] {
        try await read { try MemberInvitations($0).all(of: bike, by: owner, at: time) }
    }

    /// Cancels an open invitation.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    public func cancelMemberInvitation(_ id: InvitationID, of bike: BikeID, by act: OwnerAct) async throws {
        try await write { try MemberInvitations($0).cancel(id, of: bike, by: act) }
    }

    /// What an invitation offers.
    ///
    /// - Throws: `invitationUnusable`.
    public func membershipOffer(_ digest: SecretDigest, at time: Timestamp) async throws -> MembershipOffer {
        try await read { try MemberInvitations($0).offer(digest, at: time) }
    }

    /// Makes the owner who acts a member of the invitation's bike, and notifies the bike's owner on all channels.
    ///
    /// - Throws: `invitationUnusable`, `alreadyMember`, `membersFull`, `tooManyMemberships`, `idempotencyKeyReused`.
    public func join(_ digest: SecretDigest, by act: OwnerAct, once: IdempotencyKey?) async throws -> Bike {
        try await write { try Members($0).join(digest, by: act, once: once) }
    }

    /// The members of a bike, in the order of their joining; for a caller who does not manage the bike, only the caller.
    ///
    /// - Throws: `notFound`.
    public func members(of bike: BikeID, by owner: OwnerID) async throws -> [Member] {
        try await read { try Members($0).all(of: bike, by: owner) }
    }

    /// Changes a member's role, and notifies the bike's owner on all channels.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    public func changeRole(
        of member: MemberID, on bike: BikeID, to role: MemberRole, by act: OwnerAct
    ) async throws -> Member {
        try await write { [quotas] db in try Members(db).changeRole(of: member, on: bike, to: role, by: act, quotas) }
    }

    /// Removes a member, who may be the caller, and all invitations that the member made. Notifies the bike's owner on
    /// all channels, and the member.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    public func removeMember(_ id: MemberID, of bike: BikeID, by act: OwnerAct) async throws {
        try await write { try Members($0).remove(id, of: bike, by: act) }
    }
}
