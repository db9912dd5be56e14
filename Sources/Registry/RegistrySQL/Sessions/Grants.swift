import Passkeys
import RegistryAPI
import RegistryRules

/// The result of a valid proof: the right to a session of an owner, up to a scope.
struct Grant {
    /// The owner's key.
    let owner: Int64
    let ownerID: OwnerID
    let method: SignInMethod
    /// The widest scope that the session can have.
    var ceiling = TokenScope.manage
    /// The token whose end also ends the session; nil for other proofs.
    var token: TokenID?
    /// The key of the passkey whose removal ends the session; nil for other proofs.
    var passkey: Int64?
}

extension Sessions {
    enum GrantResult {
        case granted(Grant)
        /// The passkey may be a copy: the owner was notified, and this must not be undone by an error.
        case copied
    }

    /// Checks a proof, and uses it up if it works once.
    ///
    /// - Throws: `codeUnusable`, `tokenUnusable`, `passkeyRefused`, `tooManyToday`.
    func grant(
        _ proof: AccountProof, _ quotas: Quotas, at time: Timestamp, using entropy: Entropy
    ) throws -> GrantResult {
        switch proof {
        case .passkey(let id, let counter):
            return try passkeyGrant(id, counter, quotas, at: time, using: entropy)
        case .recoveryCode(let code): return .granted(try recoveryGrant(code, at: time))
        case .token(let digest):
            let grant = try tokenGrant(digest)
            try OwnerLimits(db).noteUse(.tokenUses, by: grant.owner, quotas, at: time)
            return .granted(grant)
        }
    }

    /// Checks the signature’s counter, which a copied passkey repeats.
    private func passkeyGrant(
        _ id: PasskeyID, _ counter: UInt32, _ quotas: Quotas, at time: Timestamp, using entropy: Entropy
    ) throws -> GrantResult {
        guard let row = try db.row(OwnerPasskeys.query + "WHERE passkey.id = ?", [id.blob]) else {
            throw DomainError.passkeyRefused(.unknown)
        }
        let (owner, ownerID): (Int64, OwnerID) = (try row["owner"], try row.id("holder_id"))
        try OwnerLimits(db).noteUse(.passkeyUses, by: owner, quotas, at: time)
        guard SignatureCounter.isPlausible(counter, after: UInt32(clamping: try row["counter"] as Int64)) else {
            let notice = OwnerNotice(.passkeyCopied, subject: try row["name"])
            try Notices(db).queue(notice, toOwner: owner, at: time, using: entropy)
            try AuditTrail(db).append(
                AuditEvent(.passkeyCopied, by: nil, at: time, owner: ownerID, details: ["passkey": "\(id)"]))
            return .copied
        }
        let key: Int64 = try row["key"]
        try db.run(
            "UPDATE passkey SET counter = ?, last_used = ? WHERE key = ?", [Int64(counter), time.milliseconds, key])
        return .granted(Grant(owner: owner, ownerID: ownerID, method: .passkey, passkey: key))
    }

    /// Uses up a recovery code.
    private func recoveryGrant(_ code: SecretDigest, at time: Timestamp) throws -> Grant {
        let (owner, id) = try RecoveryCodes(db).spend(code)
        try AuditTrail(db).append(AuditEvent(.recoveryUsed, by: .owner(id), at: time, owner: id))
        return Grant(owner: owner, ownerID: id, method: .recoveryCode)
    }

    /// Finds the token of an owner, which is not a session itself.
    private func tokenGrant(_ digest: SecretDigest) throws -> Grant {
        let sql = """
            SELECT owner.key, owner.id AS owner_id, token.id, scope FROM token JOIN owner ON owner.key = token.owner
            WHERE digest = ? AND expires IS NULL
            """
        guard let row = try db.row(sql, [digest.blob]) else { throw DomainError.tokenUnusable }
        return Grant(
            owner: try row["key"], ownerID: try row.id("owner_id"), method: .token, ceiling: try row.choice("scope"),
            token: try row.id("id"))
    }
}
