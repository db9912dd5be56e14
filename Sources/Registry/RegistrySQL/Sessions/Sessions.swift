import Foundation
package import RegistryAPI
package import RegistryRules

/// The browsers in which owners are signed in: tokens with an end, a way of signing in, and times of confirmation.
package struct Sessions {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Opens a session, and notifies the owner. The session that was unused longest ends if there are
    /// ``SessionState/most``.
    ///
    /// - Throws: `codeUnusable`, `tokenUnusable`, `passkeyRefused`, `tooManyToday`.
    package func open(
        _ session: NewSession, by proof: AccountProof, _ quotas: Quotas, using entropy: Entropy
    ) throws -> ProofResult {
        let grant: Grant
        switch try self.grant(proof, quotas, at: session.created, using: entropy) {
        case .granted(let found): grant = found
        case .copied: return .copiedPasskey
        }
        try makeRoom(grant, at: session.created)
        try insert(session, grant)
        let act = OwnerAct(owner: grant.ownerID, time: session.created, entropy: entropy)
        try AuditTrail(db).append(
            AuditEvent(
                .sessionCreated, by: act.principal, at: act.time, owner: act.owner,
                details: ["session": "\(session.id)", "by": grant.method.rawValue]
            )
        )
        if grant.method == .recoveryCode {
            let notice = OwnerNotice(.recoveryUsed, subject: session.name)
            try Notices(db).queue(notice, toOwner: grant.owner, at: act.time, using: entropy)
        } else {
            try Notices(db).tell(.signIn, to: grant.owner, subject: session.name, by: act)
        }
        return .accepted(try required(session.id, at: session.created))
    }

    /// Gives a session the scope `manage` for ``SessionState/confirmation``.
    ///
    /// - Throws: `notFound`, `codeUnusable`, `tokenUnusable`, `passkeyRefused`, `tooManyToday`.
    package func confirm(
        _ id: TokenID, by proof: AccountProof, _ quotas: Quotas, act: OwnerAct
    ) throws -> ProofResult {
        let owner = try Owners(db).key(of: act.owner)
        guard let session = try find(id, of: act.owner, at: act.time) else { throw DomainError.notFound("session") }
        switch try grant(proof, quotas, at: act.time, using: act.entropy) {
        case .copied: return .copiedPasskey
        case .granted(let grant):
            // Another owner's code cannot confirm this session, and stays unused.
            guard grant.owner == owner else { throw DomainError.codeUnusable }
            if grant.method == .recoveryCode {
                let notice = OwnerNotice(.recoveryUsed, subject: session.name)
                try Notices(db).queue(notice, toOwner: owner, at: act.time, using: act.entropy)
            }
        }
        try db.run(
            "UPDATE token SET confirmed = ? WHERE id = ? AND expires IS NOT NULL", [act.time.milliseconds, id])
        try AuditTrail(db).append(
            AuditEvent(
                .sessionConfirmed, by: act.principal, at: act.time, owner: act.owner, details: ["session": "\(id)"]))
        return .accepted(try required(id, at: act.time))
    }

    /// The sessions of an owner that have not expired, in the order of their creation.
    package func page(
        of owner: OwnerID, at time: Timestamp, _ page: PageRequest<TokenID>
    ) throws -> StoredPage<Session, TokenID> {
        let sql = """
            SELECT * FROM token WHERE owner = (SELECT key FROM owner WHERE id = ?) AND id > ? AND expires > ?
            ORDER BY id LIMIT ?
            """
        let after = page.after ?? TokenID(high: 0, low: 0)
        return try db.rows(sql, [owner.blob, after.blob, time.milliseconds, page.limit + 1])
            .map { try Session($0, at: time) }
            .page(limit: page.limit, cursor: \.id)
    }

    /// The session of an owner; nil if there is none, or it has expired.
    package func find(_ id: TokenID, of owner: OwnerID, at time: Timestamp) throws -> Session? {
        let sql = """
            SELECT * FROM token WHERE id = ? AND owner = (SELECT key FROM owner WHERE id = ?) AND expires > ?
            """
        return try db.row(sql, [id.blob, owner.blob, time.milliseconds]).map { try Session($0, at: time) }
    }

    /// Ends a session.
    ///
    /// - Parameter isOwn: whether the session ends itself; otherwise the owner is notified.
    /// - Throws: `notFound`.
    package func revoke(_ id: TokenID, isOwn: Bool, by act: OwnerAct) throws {
        guard let session = try find(id, of: act.owner, at: act.time) else { throw DomainError.notFound("session") }
        try db.run("DELETE FROM token WHERE id = ?", [id.blob])
        if !isOwn {
            let owner = try Owners(db).key(of: act.owner)
            try Notices(db).tell(.endSession, to: owner, subject: session.name, by: act)
        }
        try AuditTrail(db).append(
            AuditEvent(
                .sessionRevoked, by: act.principal, at: act.time, owner: act.owner, details: ["session": "\(id)"]))
    }

    /// Deletes sessions that have expired. Restoring a backup does not bring them back, so they need no entry in the
    /// journal of revocations, whose trigger skips those that ended at zero.
    func deleteExpired(at time: Timestamp) throws {
        try db.run("UPDATE token SET expires = 0 WHERE expires <= ?", [time.milliseconds])
        try db.run("DELETE FROM token WHERE expires = 0", [])
    }

    /// Stores a session with what its proof permits.
    func insert(_ session: NewSession, _ grant: Grant) throws {
        let confirmed = grant.ceiling == .manage ? session.created.milliseconds : nil
        try db.run(
            """
            INSERT INTO token (digest, owner, id, name, scope, created, expires, signed_in, confirmed, parent, passkey)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                session.digest.blob, grant.owner, session.id.blob, session.name, grant.ceiling.rawValue,
                session.created.milliseconds, session.created.advanced(by: SessionState.lifetime).milliseconds,
                grant.method.rawValue, confirmed, grant.token?.blob, grant.passkey,
            ]
        )
    }

    /// Ends the sessions that were unused longest, so that there is room for one more.
    private func makeRoom(_ grant: Grant, at time: Timestamp) throws {
        let sql = """
            SELECT id FROM token WHERE owner = ? AND expires IS NOT NULL
            ORDER BY coalesce(last_used, created) DESC, id DESC
            """
        for row in try db.rows(sql, [grant.owner]).dropFirst(SessionState.most - 1) {
            let id: TokenID = try row.id("id")
            try db.run("DELETE FROM token WHERE id = ?", [id.blob])
            try AuditTrail(db).append(
                AuditEvent(.sessionRevoked, by: nil, at: time, owner: grant.ownerID, details: ["session": "\(id)"]))
        }
    }

    /// A session that was just stored or confirmed.
    private func required(_ id: TokenID, at time: Timestamp) throws -> Session {
        let sql = "SELECT * FROM token WHERE id = ? AND expires IS NOT NULL"
        guard let row = try db.row(sql, [id.blob]) else { throw DomainError.notFound("session") }
        return try Session(row, at: time)
    }
}

extension Session {
    /// Reads a row of `token` that is a session, with the scope that it has at a time.
    init(_ row: StoredRow, at time: Timestamp) throws {
        let ceiling: TokenScope = try row.choice("scope")
        let state = SessionState(
            expires: try row.timestamp("expires"), confirmed: try row.optionalTimestamp("confirmed"))
        self.init(
            id: try row.id("id"), name: try row["name"], signedIn: try row.choice("signed_in"),
            scope: state.scope(ceiling: ceiling, at: time), created: try row.timestamp("created"),
            lastUsed: try row.optionalTimestamp("last_used"), expires: state.expires,
            confirmedUntil: ceiling == .manage ? state.confirmedUntil(at: time) : nil
        )
    }
}
