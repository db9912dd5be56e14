import Logging
package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// The number of recovery codes that a new owner gets.
    static let recoveryCodeCount = 10

    /// Creates an owner with a first token and recovery codes.
    package func createOwner(_ draft: OwnerDraft = OwnerDraft()) async throws -> OwnerCreated {
        guard ownerRegistration == .open || draft.invitation != nil else { throw DomainError.invitationNeeded }
        var entropy = entropy
        let now = clock.now
        let (token, secret) = newToken(name: "first", scope: .manage)
        let codes = newRecoveryCodes()
        let owner = NewOwner(
            id: OwnerID(at: now, using: &entropy), created: now, tellsAppearance: draft.tellsAppearance ?? true,
            token: token, recoveryCodes: codes.map(\.digest),
            invitation: ownerRegistration == .open ? nil : draft.invitation.map { OneTimeCode(typed: $0).digest }
        )
        try await store.addOwner(owner)
        let made = Owner(
            id: owner.id, created: now, tellsAppearance: owner.tellsAppearance, recoveryCodes: codes.count
        )
        return OwnerCreated(owner: made, token: secret, recoveryCodes: codes.map(\.text))
    }

    /// Makes an invitation for a new owner.
    package func inviteOwner(by operator: OperatorID, once: IdempotencyKey?) async throws -> Invitation {
        var entropy = entropy
        let now = clock.now
        let code = OneTimeCode(using: &entropy)
        let expires = now.advanced(by: OneTimeCode.lifetime)
        let id = try await store.addOwnerInvitation(
            InvitationID(at: now, using: &entropy), code: code.digest, expires: expires, at: now, by: `operator`,
            once: once
        )
        return Invitation(id: id, code: code.text, expires: expires)
    }

    package func owner(_ id: OwnerID) async throws -> Owner {
        guard let owner = try await store.owner(id) else { throw DomainError.notFound("owner") }
        return owner
    }

    /// Changes an owner if the account is unchanged since the caller saw it.
    package func changeOwner(_ owner: Owner, _ patch: OwnerPatch, by act: OwnerAct) async throws -> Owner {
        let wanted = patch.applied(to: owner, at: act.time)
        if let zone = wanted.zone, zone != owner.zone, !LocalZone.exists(zone) {
            throw DomainError.invalidField(
                "/zone", "is not the name of a time zone; send one such as Europe/Berlin (IANA time zone database)")
        }
        return try await store.changeOwner(owner, to: wanted, by: act)
    }

    /// Erases an owner if the account is unchanged since the caller saw it.
    package func eraseOwner(_ owner: Owner, by act: OwnerAct) async throws {
        try await store.eraseOwner(owner, by: act)
        await deletePictures()
        logger.info("owner erased", metadata: ["owner": "\(owner.id)"])
    }

    /// An owner's act at the current time.
    ///
    /// - Parameter recoveryCode: the code that was sent with the call, as typed; nil if none was.
    package func act(of owner: OwnerID, recoveryCode: String?) -> OwnerAct {
        OwnerAct(
            owner: owner, time: clock.now, recoveryCode: recoveryCode.map { OneTimeCode(typed: $0).digest },
            entropy: entropy
        )
    }

    /// New codes; only their digests are to be stored.
    func newRecoveryCodes() -> [OneTimeCode] {
        var entropy = entropy
        return (0..<Self.recoveryCodeCount).map { _ in OneTimeCode(using: &entropy) }
    }

    /// A token to store for an owner, and the secret that is shown once.
    func newToken(name: String, scope: TokenScope) -> (token: NewToken, secret: String) {
        var entropy = entropy
        let now = clock.now
        let secret = AccessToken(for: .owner, using: &entropy)
        let details = OwnerToken(id: TokenID(at: now, using: &entropy), name: name, scope: scope, created: now)
        return (NewToken(details, digest: secret.digest), secret.text)
    }
}
