import Concurrency
public import RegistryAPI

extension RegistryOperations {
    /// Makes an invitation to a bike; its secret is shown only once.
    public func inviteMember(
        _ draft: MemberInvitationDraft, to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> MemberInvitationCreated {
        var entropy = entropy
        let secret = AccessToken(forInvitation: (), using: &entropy)
        let details = MemberInvitation(
            id: InvitationID(at: act.time, using: &entropy), label: draft.label, role: draft.role, created: act.time,
            expires: act.time.advanced(by: MemberRules.invitationLifetime))
        let stored = try await store.inviteMember(
            NewMemberInvitation(details, bike: bike, digest: secret.digest), by: act, once: once)
        alertSignal.wake()
        return MemberInvitationCreated(
            details: stored, secret: secret.text, link: publicURL.map { "\($0)/join#\(secret.text)" })
    }

    public func cancelMemberInvitation(_ id: InvitationID, of bike: BikeID, by act: OwnerAct) async throws {
        try await store.cancelMemberInvitation(id, of: bike, by: act)
    }

    /// What an invitation offers. A text that cannot be a secret is refused like an unknown one.
    public func membershipOffer(_ acceptance: InvitationAcceptance) async throws -> MembershipOffer {
        try await store.membershipOffer(try digest(of: acceptance), at: clock.now)
    }

    public func join(_ acceptance: InvitationAcceptance, by act: OwnerAct, once: IdempotencyKey?) async throws -> Bike {
        let bike = try await store.join(try digest(of: acceptance), by: act, once: once)
        alertSignal.wake()
        return bike
    }

    private func digest(of acceptance: InvitationAcceptance) throws -> SecretDigest {
        guard let secret = AccessToken(invitation: acceptance.secret) else {
            throw DomainError.membership(.invitationUnusable)
        }
        return secret.digest
    }

    public func changeRole(
        of member: MemberID, on bike: BikeID, to role: MemberRole, by act: OwnerAct
    ) async throws -> Member {
        let changed = try await store.changeRole(of: member, on: bike, to: role, by: act)
        alertSignal.wake()
        return changed
    }

    public func removeMember(_ id: MemberID, of bike: BikeID, by act: OwnerAct) async throws {
        try await store.removeMember(id, of: bike, by: act)
        alertSignal.wake()
    }
}
