import Logging
import Passkeys
package import RegistryAPI
package import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// The site for which passkeys are made.
    ///
    /// - Throws: `signInUnavailable` unless the operator has set a suitable `publicURL`.
    var party: RelyingParty {
        get throws {
            guard let relyingParty else { throw DomainError.signInUnavailable }
            return relyingParty
        }
    }

    /// A challenge for somebody who is not signed in. It stores nothing.
    package func challengeForAnyone() async throws -> PasskeyChallenge {
        var entropy = entropy
        // A new owner's identifier, if the challenge is used to sign up.
        return try await challenge(.anyone, user: OwnerID(at: clock.now, using: &entropy).octets, credentials: [])
    }

    /// A challenge for an owner who is signed in.
    package func challenge(for owner: OwnerID) async throws -> PasskeyChallenge {
        let party = try party
        let passkeys = try await store.passkeys(of: owner).filter { $0.details.relyingParty == party.id }
        return try await challenge(.owner, user: owner.octets, credentials: passkeys.map { Base64URL($0.credentialID) })
    }

    /// A challenge as a browser gets it.
    ///
    /// - Parameters:
    ///   - user: the 16 bytes of the identifier that the authenticator stores with a passkey.
    ///   - credentials: the identifiers of the passkeys that the user already has.
    /// - Throws: `signInUnavailable`.
    func challenge(
        _ subject: Challenge.Subject, user: [UInt8], credentials: [Base64URL]
    ) async throws -> PasskeyChallenge {
        var entropy = entropy
        let bytes = try await challenges.make(subject, user: user, using: &entropy)
        return PasskeyChallenge(
            challenge: Base64URL(bytes),
            relyingParty: try party.id, user: Base64URL(user),
            algorithms: PasskeyAlgorithm.allCases.map(\.rawValue), credentials: credentials,
            expiresIn: PasskeyChallenges.lifetime
        )
    }

    /// Adds a passkey to the owner who acts.
    ///
    /// - Throws: `passkeyRefused`, and what the store throws.
    package func addPasskey(_ draft: PasskeyDraft, by act: OwnerAct) async throws -> Passkey {
        let party = try party
        let registration = try Self.refusing { () throws(PasskeyError) in
            try draft.passkey.response.verified(at: party)
        }
        let challenge = try await challenges.read(registration.challenge, for: .owner)
        guard challenge.user == act.owner.octets, try await challenges.use(challenge) else {
            throw DomainError.passkeyRefused(.wrongChallenge)
        }
        let passkey = newPasskey(registration, name: draft.name, at: party)
        try await releasing(challenge) { try await store.addPasskey(passkey, by: act) }
        return passkey.details
    }

    /// Warns the operator if passkeys were made for another host, since they do not work at this one.
    package func warnOfForeignPasskeys() async throws {
        guard let relyingParty else { return }
        let count = try await store.passkeyCount(notOf: relyingParty.id)
        guard count > 0 else { return }
        logger.warning(
            "passkeys made for another host do not work: publicURL has changed; their owners sign in with recovery codes",
            metadata: ["passkeys": "\(count)", "host": "\(relyingParty.id)"])
    }

    /// A verified passkey, to be stored under this name.
    func newPasskey(_ registration: VerifiedRegistration, name: String, at party: RelyingParty) -> NewPasskey {
        var entropy = entropy
        let now = clock.now
        let details = Passkey(id: PasskeyID(at: now, using: &entropy), name: name, relyingParty: party.id, created: now)
        return NewPasskey(
            details: details, credentialID: registration.credentialID, key: registration.key,
            counter: registration.counter)
    }

    /// Turns an error of a passkey into the registry's.
    static func refusing<Result>(_ verify: () throws(PasskeyError) -> Result) throws(DomainError) -> Result {
        do {
            return try verify()
        } catch {
            throw .passkeyRefused(error)
        }
    }
}
