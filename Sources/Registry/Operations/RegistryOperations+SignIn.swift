import Logging
import Passkeys
package import RegistryAPI
package import RegistryRules
import RegistrySQL

/// A session and the secret for its cookie.
package struct OpenedSession: Sendable {
    package let session: Session
    package let secret: String
}

extension RegistryOperations {
    /// Signs a browser in by a passkey, a recovery code or an owner's token.
    ///
    /// - Throws: `signInUnavailable`, `passkeyRefused`, `passkeyCopied`, and what the store throws.
    package func signIn(_ request: SignIn) async throws -> OpenedSession {
        _ = try party
        let (proof, challenge): (AccountProof, Challenge?)
        if let assertion = request.passkey {
            (proof, challenge) = try await verify(assertion, for: .anyone, of: nil)
        } else if let code = request.recoveryCode {
            (proof, challenge) = (.recoveryCode(OneTimeCode(typed: code).digest), nil)
        } else {
            // Every invalid text takes the same path: it is hashed and looked up.
            (proof, challenge) = (.token(SecretDigest(of: request.token ?? "")), nil)
        }
        let (session, secret) = newSession(name: request.name)
        let result = try await releasing(challenge) {
            try await store.openSession(session, by: proof, using: entropy)
        }
        return OpenedSession(session: try accepted(result), secret: secret)
    }

    /// Creates an owner with a passkey, a session and recovery codes, by the same policy as ``createOwner(_:)``.
    ///
    /// Repeating the same request soon after a lost response returns new secrets if the first ones have not been used.
    package func signUp(_ request: SignUp) async throws -> (response: SignedUp, secret: String) {
        guard ownerRegistration == .open || request.invitation != nil else { throw DomainError.invitationNeeded }
        let party = try party
        let registration = try Self.refusing { () throws(PasskeyError) in
            try request.passkey.response.verified(at: party)
        }
        let challenge = try await challenges.read(registration.challenge, for: .anyone)
        guard let id = OwnerID(octets: challenge.user) else {
            throw DomainError.passkeyRefused(.wrongChallenge)
        }
        let isFirst = try await challenges.use(challenge)
        let (session, secret) = newSession(name: request.name)
        let passkey = newPasskey(registration, name: session.name, at: party)
        let codes = newRecoveryCodes()
        let owner = NewOwner(
            id: id, created: session.created, tellsAppearance: request.tellsAppearance ?? true,
            token: nil, browser: NewOwner.Browser(session: session, passkey: passkey, isRepeated: !isFirst),
            recoveryCodes: codes.map(\.digest),
            invitation: ownerRegistration == .open ? nil : request.invitation.map { OneTimeCode(typed: $0).digest }
        )
        try await releasing(isFirst ? challenge : nil) { try await store.addOwner(owner) }
        guard let opened = try await store.session(session.id, of: id, at: session.created),
            let made = try await store.owner(id), let kept = try await store.passkeys(of: id).first
        else { throw DomainError.notFound("owner") }
        let response = SignedUp(
            owner: made, session: opened, passkey: kept.details, recoveryCodes: codes.map(\.text))
        return (response, secret)
    }

    /// Gives a session the scope `manage` for ``SessionState/confirmation``.
    package func confirmSession(
        _ id: TokenID, _ confirmation: SessionConfirmation, by act: OwnerAct
    ) async throws -> Session {
        let (proof, challenge): (AccountProof, Challenge?)
        if let assertion = confirmation.passkey {
            (proof, challenge) = try await verify(assertion, for: .owner, of: act.owner)
        } else {
            (proof, challenge) = (.recoveryCode(OneTimeCode(typed: confirmation.recoveryCode ?? "").digest), nil)
        }
        return try accepted(
            try await releasing(challenge) { try await store.confirmSession(id, by: proof, act: act) })
    }

    /// Ends the session with this secret, if there is one.
    package func signOut(secret: String) async throws {
        guard let credential = try await credential(token: secret), let id = credential.token,
            credential.session != nil, let owner = credential.principal.owner
        else { return }
        do {
            try await store.revokeSession(id, isOwn: true, by: act(of: owner, recoveryCode: nil))
        } catch DomainError.notFound {
            // The session was revoked at the same time.
        }
    }

    /// Ends the session with this secret after its browser was signed in again. A failure does not undo the sign-in: no
    /// browser still has the old secret, the owner can end its session from another browser, and it expires.
    package func endFormerSession(secret: String) async {
        do {
            try await signOut(secret: secret)
        } catch {
            logger.warning("the former session was not ended", metadata: ["error": "\(error)"])
        }
    }

    /// Verifies an assertion, and uses up its challenge.
    private func verify(
        _ assertion: PasskeyAssertion, for subject: Challenge.Subject, of owner: OwnerID?
    ) async throws -> (proof: AccountProof, challenge: Challenge) {
        guard let stored = try await store.passkey(credentialID: assertion.credential.bytes),
            owner == nil || owner == stored.holder
        else { throw DomainError.passkeyRefused(.unknown) }
        let (counter, challenge) = try await verify(
            assertion, by: (stored.algorithm, stored.publicKey), of: stored.holder.octets, for: subject)
        return (.passkey(stored.details.id, counter: counter), challenge)
    }

    /// Verifies an assertion by the stored key of a user, and uses up its challenge.
    func verify(
        _ assertion: PasskeyAssertion, by stored: (algorithm: Int, publicKey: [UInt8]), of user: [UInt8],
        for subject: Challenge.Subject
    ) async throws -> (counter: UInt32, challenge: Challenge) {
        let party = try party
        if let handle = assertion.userHandle?.bytes, !handle.isEmpty, handle != user {
            throw DomainError.passkeyRefused(.unknown)
        }
        let verified = try Self.refusing { () throws(PasskeyError) in
            let key = try PasskeyKey(algorithm: stored.algorithm, subjectPublicKeyInfo: stored.publicKey)
            return try assertion.response.verified(by: key, at: party)
        }
        let challenge = try await challenges.read(verified.challenge, for: subject)
        guard subject == .anyone || challenge.user == user, try await challenges.use(challenge) else {
            throw DomainError.passkeyRefused(.wrongChallenge)
        }
        return (verified.counter, challenge)
    }

    /// Makes a challenge usable again if its use has changed nothing, so that the same request can be repeated: the
    /// registry was busy, or the invitation was mistyped.
    func releasing<Result>(_ challenge: Challenge?, _ store: () async throws -> Result) async throws -> Result {
        do {
            return try await store()
        } catch let error as DomainError where error == .overloaded || error == .codeUnusable {
            if let challenge { await challenges.release(challenge) }
            throw error
        }
    }

    /// The session of an accepted proof.
    private func accepted(_ result: ProofResult) throws -> Session {
        switch result {
        case .accepted(let session): return session
        case .copiedPasskey: throw DomainError.passkeyCopied
        }
    }

    /// A session to store, and the secret for its cookie.
    private func newSession(name: String?) -> (session: NewSession, secret: String) {
        var entropy = entropy
        let now = clock.now
        let secret = AccessToken(.session, using: &entropy)
        let session = NewSession(
            id: TokenID(at: now, using: &entropy), name: name ?? "browser", digest: secret.digest, created: now)
        return (session, secret.text)
    }
}
