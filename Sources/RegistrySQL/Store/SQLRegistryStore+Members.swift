package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func inviteMember(
        _ invitation: NewMemberInvitation, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> MemberInvitation {
        try await write { [quotas] db in try MemberInvitations(db).add(invitation, by: act, once: once, quotas) }
    }

    public func memberInvitations(
        of bike: BikeID, by owner: OwnerID, at time: Timestamp
    ) async throws -> [MemberInvitation] {
        try await read { try MemberInvitations($0).all(of: bike, by: owner, at: time) }
    }

    public func cancelMemberInvitation(_ id: InvitationID, of bike: BikeID, by act: OwnerAct) async throws {
        try await write { try MemberInvitations($0).cancel(id, of: bike, by: act) }
    }

    public func membershipOffer(_ digest: SecretDigest, at time: Timestamp) async throws -> MembershipOffer {
        try await read { try MemberInvitations($0).offer(digest, at: time) }
    }

    public func join(_ digest: SecretDigest, by act: OwnerAct, once: IdempotencyKey?) async throws -> Bike {
        try await write { try Members($0).join(digest, by: act, once: once) }
    }

    public func members(of bike: BikeID, by owner: OwnerID) async throws -> [Member] {
        try await read { try Members($0).all(of: bike, by: owner) }
    }

    public func changeRole(
        of member: MemberID, on bike: BikeID, to role: MemberRole, by act: OwnerAct
    ) async throws -> Member {
        try await write { [quotas] db in try Members(db).changeRole(of: member, on: bike, to: role, by: act, quotas) }
    }

    public func removeMember(_ id: MemberID, of bike: BikeID, by act: OwnerAct) async throws {
        try await write { try Members($0).remove(id, of: bike, by: act) }
    }
}
