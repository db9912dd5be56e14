package import RegistryAPI
package import RegistryRules

/// The accounts of owners and operators, and their tokens.
extension RegistryStore {
    /// The owner; nil if the account is erased.
    public func owner(_ id: OwnerID) async throws -> Owner? {
        try await read { try Owners($0).find(id) }
    }

    /// Changes an owner if the account is unchanged since the caller saw it. If that changes when alerts are sent, the
    /// owner is notified on all channels.
    ///
    /// - Throws: `changedMeanwhile`; if it changes when alerts are sent while a bike is missing,
    ///   `recoveryCodeNeeded` and `codeUnusable`.
    public func changeOwner(_ owner: Owner, to changed: Owner, by act: OwnerAct) async throws -> Owner {
        try await write { [quotas] db in try Owners(db).change(owner, to: changed, by: act, quotas) }
    }

    /// Records the use of a token; a time earlier than the recorded one changes nothing.
    public func noteUse(of token: TokenID, at time: Timestamp) async throws {
        try await write { try Tokens($0).noteUse(of: token, at: time) }
    }

    /// Adds an owner with the first token or passkey.
    ///
    /// - Throws: `codeUnusable` for an invitation that is unknown, used or expired; `passkeyKnown`, and for a repeated
    ///   request whose result has been used, `passkeyRefused`.
    public func addOwner(_ owner: NewOwner) async throws {
        try await write { try Owners($0).add(owner) }
    }

    /// Adds an invitation for an owner and returns its identifier.
    /// A repeated call renews the code and the expiry of the first invitation, since its code cannot be shown again.
    ///
    /// - Throws: `invitationAccepted`, `idempotencyKeyReused`.
    public func addOwnerInvitation(
        _ id: InvitationID, code: SecretDigest, expires: Timestamp, at time: Timestamp, by operator: OperatorID,
        once: IdempotencyKey?
    ) async throws -> InvitationID {
        try await write {
            try Owners($0).invite(id, code: code, expires: expires, at: time, by: `operator`, once: once)
        }
    }

    /// An owner's tokens, in the order of their creation.
    public func tokens(
        of owner: OwnerID, _ page: PageRequest<TokenID>
    ) async throws -> StoredPage<OwnerToken, TokenID> {
        try await read { try Tokens($0).page(of: owner, page) }
    }

    /// Adds a token, and notifies the owner on all channels. A repeated call gives the first call's token this secret,
    /// since the earlier secret cannot be shown again.
    ///
    /// - Throws: `tokenInUse`, `idempotencyKeyReused`.
    public func addToken(_ token: NewToken, by act: OwnerAct, once: IdempotencyKey?) async throws -> OwnerToken {
        try await write { [quotas] db in try Tokens(db).add(token, by: act, once: once, quotas) }
    }

    /// Deletes a token, and notifies the owner on all channels.
    ///
    /// - Throws: `notFound`.
    public func revokeToken(_ id: TokenID, by act: OwnerAct) async throws {
        try await write { try Tokens($0).revoke(id, by: act) }
    }

    /// Exchanges a recovery code for a token, and notifies the owner on all channels.
    ///
    /// - Throws: `codeUnusable`.
    public func recover(
        code: SecretDigest, token: NewToken, at time: Timestamp, using entropy: Entropy
    ) async throws -> OwnerToken {
        try await write { try Tokens($0).recover(code: code, token: token, at: time, using: entropy) }
    }

    /// Replaces all recovery codes; the act must contain one of them.
    ///
    /// - Throws: `recoveryCodeNeeded`, `codeUnusable`.
    public func replaceRecoveryCodes(with codes: [SecretDigest], by act: OwnerAct) async throws {
        try await write { [quotas] db in try RecoveryCodes(db).replace(with: codes, by: act, quotas) }
    }

    /// Adds an operator with a token.
    ///
    /// - Parameter creator: the operator who adds it; nil on the server itself.
    public func addOperator(_ details: Operator, token: SecretDigest, by creator: OperatorID?) async throws {
        try await write { try Operators($0).add(details, token: token, by: creator) }
    }

    /// All operators, including revoked ones, in the order of their creation.
    public func operators(_ page: PageRequest<OperatorID>) async throws -> StoredPage<Operator, OperatorID> {
        try await read { try Operators($0).page(page) }
    }

    /// Revokes an operator's token; has no effect if it is revoked already.
    ///
    /// - Parameters:
    ///   - revoker: the operator who revokes it; nil on the server itself.
    ///   - keepsLast: whether revoking the last operator is refused.
    /// - Throws: `notFound`, `lastOperator`.
    public func revokeOperator(
        _ id: OperatorID, by revoker: OperatorID?, keepsLast: Bool, at time: Timestamp
    ) async throws -> Operator {
        try await write { try Operators($0).revoke(id, by: revoker, keepsLast: keepsLast, at: time) }
    }

    /// All owners, with those who have the most unconfirmed reports first.
    public func owners(_ page: PageRequest<OwnerCursor>) async throws -> StoredPage<OwnerSummary, OwnerCursor> {
        try await read { try OwnerReviews($0).page(page) }
    }

    /// An owner with the data that operators decide by.
    ///
    /// - Throws: `notFound`.
    public func review(of owner: OwnerID) async throws -> OwnerReview {
        try await read { [quotas] db in try OwnerReviews(db).review(of: owner, quotas) }
    }

    /// Takes all of an owner's bikes off the missing list, and blocks new reports;
    /// has no effect if the owner is suspended.
    ///
    /// - Throws: `notFound`.
    public func suspendOwner(_ owner: OwnerID, reason: String?, by act: OperatorAct) async throws -> OwnerReview {
        try await write { [quotas] db in try OwnerReviews(db).suspend(owner, reason: reason, by: act, quotas) }
    }

    /// Ends a suspension: the searches for the owner’s bikes continue. Has no effect if the owner is not suspended.
    ///
    /// - Throws: `notFound`.
    public func resumeOwner(_ owner: OwnerID, by act: OperatorAct) async throws -> OwnerReview {
        try await write { [quotas] db in try OwnerReviews(db).resume(owner, by: act, quotas) }
    }

    /// Notes that an operator has verified the owner. The beacons of open searches no longer count as new.
    ///
    /// - Throws: `notFound`.
    public func verifyOwner(_ owner: OwnerID, by act: OperatorAct) async throws -> OwnerReview {
        try await write { [quotas] db in try OwnerReviews(db).verify(owner, by: act, quotas) }
    }

    /// Takes back a verification. Open searches continue unchanged.
    ///
    /// - Throws: `notFound`.
    public func unverifyOwner(_ owner: OwnerID, by act: OperatorAct) async throws -> OwnerReview {
        try await write { [quotas] db in try OwnerReviews(db).unverify(owner, by: act, quotas) }
    }

    /// Replaces an owner's exceptions to the registry's quotas.
    ///
    /// - Throws: `notFound`.
    public func setQuotas(
        of owner: OwnerID, _ exceptions: QuotaExceptions, by act: OperatorAct
    ) async throws -> OwnerReview {
        try await write { [quotas] db in try OwnerReviews(db).setQuotas(of: owner, exceptions, by: act, quotas) }
    }
}
