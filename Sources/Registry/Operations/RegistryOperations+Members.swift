package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Makes an invitation to a bike; its secret is shown only once.
    package func inviteMember(
        _ draft: MemberInvitationDraft, to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) async throws -> MemberInvitationCreated {
        var entropy = entropy
        let secret = AccessToken(.join, using: &entropy)
        let details = MemberInvitation(
            id: InvitationID(at: act.time, using: &entropy), label: draft.label, role: draft.role, created: act.time,
            expires: act.time.advanced(by: MemberRules.invitationLifetime))
        let stored = try await store.inviteMember(
            NewMemberInvitation(details, bike: bike, digest: secret.digest), by: act, once: once)
        return MemberInvitationCreated(
            details: stored, secret: secret.text, link: publicURL.map { "\($0)/join#\(secret.text)" })
    }

    /// What an invitation offers. A text that cannot be a secret is refused like an unknown one.
    package func membershipOffer(_ acceptance: InvitationAcceptance) async throws -> MembershipOffer {
        try await store.membershipOffer(try digest(of: acceptance), at: clock.now)
    }

    /// Makes the caller a member of the invitation's bike.
    package func join(_ acceptance: InvitationAcceptance, by act: OwnerAct, once: IdempotencyKey?) async throws -> Bike
    {
        try await store.join(try digest(of: acceptance), by: act, once: once)
    }

    private func digest(of acceptance: InvitationAcceptance) throws -> SecretDigest {
        guard let secret = AccessToken(acceptance.secret, as: .join) else {
            throw DomainError.membership(.invitationUnusable)
        }
        return secret.digest
    }
}
