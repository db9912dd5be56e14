package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func owner(_ id: OwnerID) async throws -> Owner? {
        try await read { try Owners($0).find(id) }
    }

    public func changeOwner(_ owner: Owner, to changed: Owner, by act: OwnerAct) async throws -> Owner {
        try await write { [quotas] db in try Owners(db).change(owner, to: changed, by: act, quotas) }
    }

    public func noteUse(of token: TokenID, at time: Timestamp) async throws {
        try await write { try Tokens($0).noteUse(of: token, at: time) }
    }

    public func addOwner(_ owner: NewOwner) async throws {
        try await write { try Owners($0).add(owner) }
    }

    public func addOwnerInvitation(
        _ id: InvitationID, code: SecretDigest, expires: Timestamp, at time: Timestamp, by operator: OperatorID,
        once: IdempotencyKey?
    ) async throws -> InvitationID {
        try await write {
            try Owners($0).invite(id, code: code, expires: expires, at: time, by: `operator`, once: once)
        }
    }

    public func tokens(
        of owner: OwnerID, _ page: PageRequest<TokenID>
    ) async throws -> StoredPage<OwnerToken, TokenID> {
        try await read { try Tokens($0).page(of: owner, page) }
    }

    public func addToken(_ token: NewToken, by act: OwnerAct, once: IdempotencyKey?) async throws -> OwnerToken {
        try await write { [quotas] db in try Tokens(db).add(token, by: act, once: once, quotas) }
    }

    public func revokeToken(_ id: TokenID, by act: OwnerAct) async throws {
        try await write { try Tokens($0).revoke(id, by: act) }
    }

    public func recover(
        code: SecretDigest, token: NewToken, at time: Timestamp, using entropy: Entropy
    ) async throws -> OwnerToken {
        try await write { try Tokens($0).recover(code: code, token: token, at: time, using: entropy) }
    }

    public func replaceRecoveryCodes(with codes: [SecretDigest], by act: OwnerAct) async throws {
        try await write { [quotas] db in try RecoveryCodes(db).replace(with: codes, by: act, quotas) }
    }

    public func addOperator(_ details: Operator, token: SecretDigest, by creator: OperatorID?) async throws {
        try await write { try Operators($0).add(details, token: token, by: creator) }
    }

    public func operators(_ page: PageRequest<OperatorID>) async throws -> StoredPage<Operator, OperatorID> {
        try await read { try Operators($0).page(page) }
    }

    public func revokeOperator(
        _ id: OperatorID, by revoker: OperatorID?, keepsLast: Bool, at time: Timestamp
    ) async throws -> Operator {
        try await write { try Operators($0).revoke(id, by: revoker, keepsLast: keepsLast, at: time) }
    }

    public func owners(_ page: PageRequest<OwnerCursor>) async throws -> StoredPage<OwnerSummary, OwnerCursor> {
        try await read { try OwnerReviews($0).page(page) }
    }

    public func review(of owner: OwnerID) async throws -> OwnerReview {
        try await read { [quotas] db in try OwnerReviews(db).review(of: owner, quotas) }
    }

    public func suspendOwner(_ owner: OwnerID, reason: String?, by act: OperatorAct) async throws -> OwnerReview {
        try await write { [quotas] db in try OwnerReviews(db).suspend(owner, reason: reason, by: act, quotas) }
    }

    public func resumeOwner(_ owner: OwnerID, by act: OperatorAct) async throws -> OwnerReview {
        try await write { [quotas] db in try OwnerReviews(db).resume(owner, by: act, quotas) }
    }

    public func setQuotas(
        of owner: OwnerID, _ exceptions: QuotaExceptions, by act: OperatorAct
    ) async throws -> OwnerReview {
        try await write { [quotas] db in try OwnerReviews(db).setQuotas(of: owner, exceptions, by: act, quotas) }
    }
}
