import Logging
import Passkeys
package import RegistryAPI
package import RegistryRules
import RegistrySQL

/// An operator's session and the secret for its cookie.
package struct OpenedDesk: Sendable {
    package let session: DeskSession
    package let secret: String
}

// The browsers in which operators are signed in.
extension RegistryOperations {
    /// The operator's session with this secret; nil if there is none, or if it has ended.
    ///
    /// - Parameter isUse: whether the request counts as a use, and so prolongs the session.
    package func deskSession(secret: String, isUse: Bool) async throws -> StoredDeskSession? {
        guard let token = AccessToken(secret, as: .desk),
            let session = try await store.deskSession(secret: token.digest, site: site)
        else { return nil }
        let now = clock.now
        guard session.state.isValid(at: now) else { return nil }
        if isUse, session.state.mustNoteUse(at: now) { await noteUse(of: session.id, at: now) }
        return session
    }

    /// Signs an operator in.
    package func openDesk(_ request: DeskSignIn) async throws -> OpenedDesk {
        _ = try party
        let (proof, challenge) = try await deskProof(request.passkey, request.token, for: .anyone, of: nil)
        var entropy = entropy
        let now = clock.now
        let secret = AccessToken(.desk, using: &entropy)
        let session = NewDeskSession(
            id: DeskSessionID(at: now, using: &entropy), name: request.name ?? "browser", digest: secret.digest,
            began: now)
        let result = try await releasing(challenge) { try await store.openDeskSession(session, by: proof) }
        return OpenedDesk(session: try await accepted(result), secret: secret.text)
    }

    /// Records that the operator of a session has given a passkey or the token just now.
    package func confirmDesk(
        _ id: DeskSessionID, of operator: OperatorID, _ confirmation: DeskConfirmation
    ) async throws -> DeskSession {
        let (proof, challenge) = try await deskProof(
            confirmation.passkey, confirmation.token, for: .operator, of: `operator`)
        let result = try await releasing(challenge) {
            try await store.confirmDeskSession(id, of: `operator`, by: proof, at: clock.now)
        }
        return try await accepted(result)
    }

    /// A session of an operator, as the operator sees it from this session.
    ///
    /// - Throws: `notFound` if it has ended.
    package func deskSession(_ id: DeskSessionID, of operator: OperatorID) async throws -> DeskSession {
        let now = clock.now
        guard let found = try await store.deskSession(id, of: `operator`, site: site), found.state.isValid(at: now)
        else { throw DomainError.notFound("session") }
        return found.shown(at: now, current: id)
    }

    /// The sessions of an operator that have not ended.
    package func deskSessions(of operator: OperatorID, current: DeskSessionID?) async throws -> [DeskSession] {
        let now = clock.now
        return try await store.deskSessions(of: `operator`, site: site)
            .filter { $0.state.isValid(at: now) }
            .map { $0.shown(at: now, current: current) }
    }

    package func endDesk(_ id: DeskSessionID, of operator: OperatorID) async throws {
        try await store.endDeskSession(id, of: `operator`, at: clock.now)
    }

    /// Ends the operator's session with this secret, if there is one.
    package func closeDesk(secret: String) async throws {
        guard let session = try await deskSession(secret: secret, isUse: false) else { return }
        do {
            try await endDesk(session.id, of: session.operator.id)
        } catch DomainError.notFound {
            // The session ended at the same time.
        }
    }

    /// Ends the session whose cookie a new one replaces. A failure does not undo the sign-in: no browser still
    /// has the old secret, and its session ends by itself.
    package func closeFormerDesk(secret: String) async {
        do {
            try await closeDesk(secret: secret)
        } catch {
            logger.warning("the operator’s former session was not ended", metadata: ["error": "\(error)"])
        }
    }

    /// The host for which passkeys are made; empty if there is none, so that no passkey counts.
    private var site: String { relyingParty?.id ?? "" }

    /// The session of an accepted proof.
    ///
    /// - Throws: `passkeyCopied`.
    private func accepted(_ result: DeskProofResult) async throws -> DeskSession {
        switch result {
        case .accepted(let id, let holder): return try await deskSession(id, of: holder)
        case .copiedPasskey:
            logger.warning("there may be a copy of an operator’s passkey")
            throw DomainError.passkeyCopied
        }
    }

    /// Records a use. If the disk cannot be written to, a call that only reads must still succeed.
    private func noteUse(of session: DeskSessionID, at time: Timestamp) async {
        do {
            try await store.noteUse(ofDesk: session, at: time)
        } catch {
            logger.warning("an operator’s session cannot be prolonged", metadata: ["error": "\(error)"])
        }
    }

    /// Verifies the passkey or the token that an operator gives, as far as that is possible without the store.
    ///
    /// - Returns: the proof, and the challenge of a passkey, which is used up.
    private func deskProof(
        _ assertion: PasskeyAssertion?, _ token: String?, for subject: Challenge.Subject, of operator: OperatorID?
    ) async throws -> (proof: DeskProof, challenge: Challenge?) {
        // Every invalid text takes the same path: it is hashed and looked up.
        guard let assertion else { return (.token(SecretDigest(of: token ?? "")), nil) }
        guard let stored = try await store.deskPasskey(credentialID: assertion.credential.bytes),
            `operator` == nil || `operator` == stored.holder
        else { throw DomainError.passkeyRefused(.unknown) }
        let (counter, challenge) = try await verify(
            assertion, by: (stored.algorithm, stored.publicKey), of: stored.holder.octets, for: subject)
        return (.passkey(stored.details.id, counter: counter), challenge)
    }
}

// Operators' passkeys.
extension RegistryOperations {
    /// A challenge for an operator who is signed in.
    package func challenge(for operator: OperatorID) async throws -> PasskeyChallenge {
        let party = try party
        let passkeys = try await store.deskPasskeys(of: `operator`).filter { $0.details.relyingParty == party.id }
        return try await challenge(
            .operator, user: `operator`.octets, credentials: passkeys.map { Base64URL($0.credentialID) })
    }

    /// Adds a passkey to an operator who is signed in.
    ///
    /// - Throws: `passkeyRefused`, and what the store throws.
    package func addDeskPasskey(_ draft: PasskeyDraft, of operator: OperatorID) async throws -> Passkey {
        let party = try party
        let registration = try Self.refusing { () throws(PasskeyError) in
            try draft.passkey.response.verified(at: party)
        }
        let challenge = try await challenges.read(registration.challenge, for: .operator)
        guard challenge.user == `operator`.octets, try await challenges.use(challenge) else {
            throw DomainError.passkeyRefused(.wrongChallenge)
        }
        let passkey = newPasskey(registration, name: draft.name, at: party)
        try await releasing(challenge) { try await store.addDeskPasskey(passkey, of: `operator`) }
        return passkey.details
    }

    package func removeDeskPasskey(_ id: PasskeyID, of operator: OperatorID) async throws {
        try await store.removeDeskPasskey(id, of: `operator`, at: clock.now)
    }
}
