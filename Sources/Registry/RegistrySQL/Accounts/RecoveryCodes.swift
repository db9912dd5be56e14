package import RegistryAPI
package import RegistryRules

/// The codes that confirm owners' acts that a thief must not be able to perform with a token alone.
package struct RecoveryCodes {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Requires the recovery code that an act needs, before the act is done, and uses it up.
    ///
    /// - Parameters:
    ///   - owner: the key of the owner who acts.
    ///   - weakening: what the act does to a search; nil if it weakens none.
    /// - Throws: `recoveryCodeNeeded`, `codeUnusable`.
    func confirm(_ act: OwnerAct, owner: Int64, against weakening: SearchWeakening?) throws {
        switch weakening?.confirmation {
        case nil, .never: break
        case .whileMissing: try confirm(act, owner: owner, if: try Reports(db).hasMissingBike(owner))
        case .always: try confirm(act, owner: owner, if: true)
        }
    }

    /// The same for an act on a bike. Only the bike’s owner has a code.
    ///
    /// - Throws: also `roleNeeded` for a member.
    func confirm(_ act: OwnerAct, _ access: BikeAccess, against weakening: SearchWeakening?) throws {
        guard let weakening, weakening.confirmation != .never else { return }
        try access.require(.owner)
        try confirm(act, owner: access.owner, against: weakening)
    }

    /// Spends the recovery code of an act, if the act needs one.
    private func confirm(_ act: OwnerAct, owner: Int64, if isNeeded: Bool) throws {
        guard isNeeded else { return }
        guard let code = act.recoveryCode else { throw DomainError.recoveryCodeNeeded }
        guard try spendRecoveryCode(code, of: owner) else { throw DomainError.codeUnusable }
        try AuditTrail(db).append(AuditEvent(.recoveryUsed, by: act.principal, at: act.time, owner: act.owner))
    }

    /// Spends a code; returns its owner's key and identifier.
    ///
    /// The owner may report bikes again today, whatever a thief has done with a token.
    ///
    /// - Throws: `codeUnusable` if no owner has the code.
    func spend(_ code: SecretDigest) throws -> (owner: Int64, id: OwnerID) {
        let sql = """
            SELECT owner.key, owner.id FROM recovery_code JOIN owner ON owner.key = recovery_code.owner
            WHERE digest = ?
            """
        guard let row = try db.row(sql, [code.blob]) else { throw DomainError.codeUnusable }
        let (owner, id): (Int64, OwnerID) = (try row["key"], try row.id("id"))
        try db.run("DELETE FROM recovery_code WHERE digest = ?", [code.blob])
        try OwnerLimits(db).forgetUses(.reports, by: owner)
        return (owner, id)
    }

    /// Deletes a code of an owner; returns whether the owner had it.
    private func spendRecoveryCode(_ code: SecretDigest, of owner: Int64) throws -> Bool {
        try db.run("DELETE FROM recovery_code WHERE digest = ? AND owner = ?", [code.blob, owner])
        return db.changesCount == 1
    }

    /// Stores the codes of an owner, by the owner’s key.
    func insert(_ codes: [SecretDigest], of owner: Int64) throws {
        for code in codes {
            try db.run("INSERT INTO recovery_code (digest, owner) VALUES (?, ?)", [code.blob, owner])
        }
    }

    /// Whether an account is new and has no bike: then there is no search that a code protects, and its owner may have lost
    /// the first codes before they were written down.
    private func isUntouched(_ owner: Int64, at time: Timestamp) throws -> Bool {
        let sql = """
            SELECT created FROM owner
            WHERE key = ? AND NOT EXISTS (SELECT 1 FROM bike WHERE bike.owner = owner.key)
            """
        guard let row = try db.row(sql, [owner]) else { return false }
        return time < (try row.timestamp("created") as Timestamp).advanced(by: SearchWeakening.timeToKeepCodes)
    }

    /// Replaces all codes of an owner. The act must contain one of them, unless the account is untouched.
    ///
    /// - Throws: `tooManyToday`, `recoveryCodeNeeded`, `codeUnusable`.
    package func replace(with codes: [SecretDigest], by act: OwnerAct, _ quotas: Quotas) throws {
        let owner = try Owners(db).key(of: act.owner)
        try OwnerLimits(db).noteUse(.recoveryCodes, by: owner, quotas, at: act.time)
        if try !isUntouched(owner, at: act.time) { try confirm(act, owner: owner, against: .replaceRecoveryCodes) }
        try db.run("DELETE FROM recovery_code WHERE owner = ?", [owner])
        try insert(codes, of: owner)
        try Notices(db).tell(.replaceRecoveryCodes, to: owner, by: act)
        try AuditTrail(db).append(AuditEvent(.recoveryCodesReplaced, by: act.principal, at: act.time, owner: act.owner))
    }
}
