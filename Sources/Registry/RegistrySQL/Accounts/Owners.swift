package import RegistryAPI
package import RegistryRules

/// Owners and their own settings.
package struct Owners {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Changes an owner’s settings, and notifies the owner if that weakens a search.
    ///
    /// - Parameters:
    ///   - owner: the account as the caller saw it.
    ///   - changed: the account as it shall be.
    /// - Throws: `changedMeanwhile`, `tooManyToday`, `recoveryCodeNeeded`, `codeUnusable`.
    package func change(_ owner: Owner, to changed: Owner, by act: OwnerAct, _ quotas: Quotas) throws -> Owner {
        guard try find(owner.id) == owner else { throw DomainError.changedMeanwhile("owner") }
        guard changed != owner else { return owner }
        let weakening = SearchWeakening.of(owner, to: changed)
        let key = try key(of: owner.id)
        try OwnerLimits(db).noteUse(.accountChanges, by: key, quotas, at: act.time)
        try RecoveryCodes(db).confirm(act, owner: key, against: weakening)
        try db.run(
            """
            UPDATE owner SET tells_appearance = ?, language = ?, zone = ?, quiet_from = ?, quiet_to = ? WHERE key = ?
            """,
            [
                changed.tellsAppearance, changed.language.rawValue, changed.zone, changed.quietHours?.from.minute,
                changed.quietHours?.to.minute, key,
            ]
        )
        try Notices(db).tell(weakening, to: key, by: act)
        try AuditTrail(db).append(AuditEvent(.ownerChanged, by: act.principal, at: act.time, owner: owner.id))
        // The act may have spent a recovery code.
        guard let stored = try find(owner.id) else { throw DomainError.notFound("owner") }
        return stored
    }

    /// Erases an owner whose account is as the caller saw it.
    ///
    /// - Throws: `changedMeanwhile`, `recoveryCodeNeeded`, `codeUnusable`.
    package func erase(_ owner: Owner, by act: OwnerAct) throws {
        let key = try key(of: owner.id)
        guard try find(owner.id) == owner else { throw DomainError.changedMeanwhile("owner") }
        try RecoveryCodes(db).confirm(act, owner: key, against: .eraseAccount)
        try Erasures(db).erase(.owner(owner.id), at: act.time)
        try AuditTrail(db).append(AuditEvent(.ownerErased, by: act.principal, at: act.time))
    }

    /// Adds an owner, who signs up with a token, a passkey in a browser, or both.
    ///
    /// - Throws: `codeUnusable` for an invitation that is unknown, used or expired; `passkeyKnown`, `passkeyRefused`.
    package func add(_ owner: NewOwner) throws {
        if let browser = owner.browser, browser.isRepeated { return try SignUps(db).renew(owner, browser) }
        if let code = owner.invitation { try acceptOwnerInvitation(code, at: owner.created) }
        let key = try db.insert(
            "INSERT INTO owner (id, created, tells_appearance) VALUES (?, ?, ?)",
            [owner.id.blob, owner.created.milliseconds, owner.tellsAppearance]
        )
        if let token = owner.token { try Tokens(db).insert(token, owner: key) }
        if let browser = owner.browser { try SignUps(db).insert(browser, owner: key, id: owner.id) }
        try RecoveryCodes(db).insert(owner.recoveryCodes, of: key)
        try AuditTrail(db).append(AuditEvent(.ownerCreated, by: nil, at: owner.created, owner: owner.id))
    }

    /// Adds an invitation for an owner, and returns its identifier. A repeated call renews the code and the expiry of
    /// the first invitation.
    ///
    /// - Throws: `invitationAccepted`, `idempotencyKeyReused`.
    package func invite(
        _ id: InvitationID, code: SecretDigest, expires: Timestamp, at time: Timestamp, by operator: OperatorID,
        once: IdempotencyKey?
    ) throws -> InvitationID {
        if let earlier = try IdempotencyKeys(db).resource(of: once) {
            guard let earlier = InvitationID(blob: earlier) else { throw CorruptRow(column: "resource") }
            try db.run(
                "UPDATE owner_invitation SET code = ?, expires = ? WHERE id = ? AND accepted IS NULL",
                [code.blob, expires.milliseconds, earlier.blob]
            )
            guard db.changesCount == 1 else { throw DomainError.invitationAccepted(earlier) }
            return earlier
        }
        try db.run(
            "INSERT INTO owner_invitation (id, code, expires) VALUES (?, ?, ?)",
            [id.blob, code.blob, expires.milliseconds]
        )
        try AuditTrail(db).append(AuditEvent(.ownerInvited, by: .operator(`operator`), at: time))
        try IdempotencyKeys(db).remember(once, resource: id.blob)
        return id
    }

    /// The key of an owner’s row.
    ///
    /// - Throws: `notFound` if the account is erased, perhaps since the caller’s token was accepted.
    package func key(of owner: OwnerID) throws -> Int64 {
        guard let key = try db.integer("SELECT key FROM owner WHERE id = ?", [owner.blob]) else {
            throw DomainError.notFound("owner")
        }
        return key
    }

    /// The owner; nil if the account is erased.
    package func find(_ id: OwnerID) throws -> Owner? {
        let sql = """
            SELECT *, (SELECT count(*) FROM recovery_code WHERE owner = owner.key) AS codes FROM owner WHERE id = ?
            """
        return try db.row(sql, [id.blob]).map { row in
            Owner(
                id: id, created: try row.timestamp("created"), tellsAppearance: try row["tells_appearance"],
                language: try row.choice("language"), zone: try row["zone"], quietHours: try row.quietHours(),
                recoveryCodes: try row["codes"], verified: try row.optionalTimestamp("known")
            )
        }
    }

    /// Uses up an invitation.
    ///
    /// - Throws: `codeUnusable`.
    private func acceptOwnerInvitation(_ code: SecretDigest, at time: Timestamp) throws {
        try db.run(
            "UPDATE owner_invitation SET accepted = ?1 WHERE code = ?2 AND accepted IS NULL AND expires > ?1",
            [time.milliseconds, code.blob]
        )
        guard db.changesCount == 1 else { throw DomainError.codeUnusable }
    }

    /// Refuses an act of a suspended owner.
    ///
    /// - Parameter owner: the owner’s key.
    /// - Throws: `ownerSuspended`.
    func refuseSuspended(_ owner: Int64) throws {
        guard try !db.exists("SELECT 1 FROM owner WHERE key = ? AND suspended IS NOT NULL", [owner]) else {
            throw DomainError.ownerSuspended
        }
    }

    /// Refuses an act if the bike’s owner or the caller, who may be a member, is suspended.
    ///
    /// - Throws: `ownerSuspended`.
    func refuseSuspended(_ access: BikeAccess) throws {
        for owner in Set([access.owner, access.caller]) { try refuseSuspended(owner) }
    }

    /// Adds to the number of an owner’s reports without a confirmed reference, which is never less than zero.
    ///
    /// - Parameters:
    ///   - change: 1 or -1.
    ///   - bike: the key of the report’s bike.
    func countUnconfirmed(_ change: Int, ofBike bike: Int64) throws {
        try db.run(
            """
            UPDATE owner SET unconfirmed = CASE WHEN unconfirmed + ?1 > 0 THEN unconfirmed + ?1 ELSE 0 END
            WHERE key = (SELECT owner FROM bike WHERE key = ?2)
            """,
            [change, bike]
        )
    }
}

extension StoredRow {
    /// An owner's quiet hours, from the columns quiet_from and quiet_to.
    func quietHours() throws -> QuietHours? {
        QuietHours(from: try self["quiet_from"], to: try self["quiet_to"])
    }
}

extension QuietHours {
    /// From minutes of the day; nil if either is nil.
    init?(from: Int64?, to: Int64?) {
        guard let from, let to else { return nil }
        self.init(from: TimeOfDay(minute: Int(from)), to: TimeOfDay(minute: Int(to)))
    }
}
