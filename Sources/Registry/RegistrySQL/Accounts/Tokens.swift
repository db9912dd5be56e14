import Foundation
package import RegistryAPI
package import RegistryRules

/// Tokens: what they authenticate, and how owners create, lose and recover them.
package struct Tokens {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The caller whom a token authenticates; nil if there is no such token.
    package func credential(token: SecretDigest) throws -> Credential? {
        let sql = """
            SELECT owner.id AS owner, operator.id AS operator, station.id AS station, token.id, scope, last_used,
                expires, confirmed
            FROM token
            LEFT JOIN owner ON owner.key = token.owner
            LEFT JOIN operator ON operator.key = token.operator
            LEFT JOIN station ON station.key = token.station
            WHERE digest = ?
            """
        return try db.row(sql, [token.blob]).map(Credential.init) ?? Partners(db).credential(token: token)
    }

    /// The credentials of those tokens that are valid, read by one statement.
    package func credentials(of tokens: Set<SecretDigest>) throws -> [SecretDigest: Credential] {
        var credentials: [SecretDigest: Credential] = [:]
        try db.eachRow(Self.lookup, Parameters(tokens.map { $0.blob })) { row in
            guard let token = SecretDigest(bytes: Array(try row["digest"] as Data)) else {
                throw CorruptRow(column: "digest")
            }
            credentials[token] = try Credential(row)
        }
        for token in tokens where credentials[token] == nil {
            credentials[token] = try Partners(db).credential(token: token)
        }
        return credentials
    }

    private static let lookup = SetStatement(
        given: [("digest", .blob)],
        """
        SELECT token.digest, owner.id AS owner, operator.id AS operator, station.id AS station, token.id, scope,
            last_used, expires, confirmed
        FROM given CROSS JOIN token
        LEFT JOIN owner ON owner.key = token.owner
        LEFT JOIN operator ON operator.key = token.operator
        LEFT JOIN station ON station.key = token.station
        WHERE token.digest = given.digest
        """)

    /// An owner’s tokens without sessions, in the order of their creation.
    package func page(
        of owner: OwnerID, _ page: PageRequest<TokenID>
    ) throws -> StoredPage<OwnerToken, TokenID> {
        let sql = """
            SELECT * FROM token WHERE owner = (SELECT key FROM owner WHERE id = ?) AND id > ? AND expires IS NULL
            ORDER BY id LIMIT ?
            """
        let after = page.after ?? TokenID(high: 0, low: 0)
        return try db.rows(sql, [owner.blob, after.blob, page.limit + 1])
            .map(OwnerToken.init)
            .page(limit: page.limit, cursor: \.id)
    }

    /// Adds a token, and notifies the owner. A repeated call gives the first call’s token this secret.
    ///
    /// - Throws: `quotaReached`, `tooManyToday`, `tokenInUse`, `idempotencyKeyReused`.
    package func add(_ token: NewToken, by act: OwnerAct, once: IdempotencyKey?, _ quotas: Quotas) throws -> OwnerToken
    {
        let owner = try Owners(db).key(of: act.owner)
        if let earlier = try IdempotencyKeys(db).resource(of: once) {
            return try renewToken(earlier, token.digest, owner: owner)
        }
        try OwnerLimits(db).requireRoom(for: .tokens, of: owner, quotas)
        try OwnerLimits(db).noteUse(.tokens, by: owner, quotas, at: act.time)
        try insert(token, owner: owner)
        try AuditTrail(db).append(
            AuditEvent(
                .tokenCreated, by: act.principal, at: act.time, owner: act.owner,
                details: ["token": token.details.id.description, "scope": token.details.scope.rawValue]
            )
        )
        try Notices(db).tell(.makeToken, to: owner, subject: token.details.name, by: act)
        try IdempotencyKeys(db).remember(once, resource: token.details.id.blob)
        return token.details
    }

    /// Deletes a token, and notifies the owner. Sessions are revoked by ``Sessions``.
    ///
    /// - Throws: `notFound`.
    package func revoke(_ id: TokenID, by act: OwnerAct) throws {
        let owner = try Owners(db).key(of: act.owner)
        let sql = "SELECT name FROM token WHERE id = ? AND owner = ? AND expires IS NULL"
        guard let token = try db.row(sql, [id.blob, owner]) else { throw DomainError.notFound("token") }
        try db.run("DELETE FROM token WHERE id = ?", [id.blob])
        try Notices(db).tell(.revokeToken, to: owner, subject: try token["name"], by: act)
        try AuditTrail(db).append(
            AuditEvent(
                .tokenRevoked, by: act.principal, at: act.time, owner: act.owner, details: ["token": "\(id)"]
            )
        )
    }

    /// Exchanges a recovery code for a token, and notifies the owner.
    ///
    /// - Throws: `codeUnusable`.
    package func recover(
        code: SecretDigest, token: NewToken, at time: Timestamp, using entropy: Entropy
    ) throws -> OwnerToken {
        let (owner, id) = try RecoveryCodes(db).spend(code)
        try insert(token, owner: owner)
        try AuditTrail(db).append(
            AuditEvent(
                .recoveryUsed, by: .owner(id), at: time, owner: id, details: ["token": "\(token.details.id)"]
            )
        )
        let notice = OwnerNotice(.recoveryUsed, subject: token.details.name)
        try Notices(db).queue(notice, toOwner: owner, at: time, using: entropy)
        return token.details
    }

    /// Stores a token of an owner, by the owner’s key.
    func insert(_ token: NewToken, owner: Int64) throws {
        let details = token.details
        try db.run(
            "INSERT INTO token (digest, owner, id, name, scope, created) VALUES (?, ?, ?, ?, ?, ?)",
            [
                token.digest.blob, owner, details.id.blob, details.name, details.scope.rawValue,
                details.created.milliseconds,
            ]
        )
    }

    /// Replaces the secret of a token that has not been used yet.
    ///
    /// - Throws: `notFound`, `tokenInUse`.
    private func renewToken(_ id: Data, _ digest: SecretDigest, owner: Int64) throws -> OwnerToken {
        guard let row = try db.row("SELECT * FROM token WHERE id = ? AND owner = ?", [id, owner]) else {
            throw DomainError.notFound("token")
        }
        let token = try OwnerToken(row)
        guard token.lastUsed == nil else { throw DomainError.tokenInUse(token.id) }
        try db.run("UPDATE token SET digest = ? WHERE id = ?", [digest.blob, id])
        return token
    }

    /// Records the use of a token; a time earlier than the recorded one changes nothing. For a session, its end moves,
    /// too.
    package func noteUse(of token: TokenID, at time: Timestamp) throws {
        try db.run(
            "UPDATE token SET last_used = ?1 WHERE id = ?2 AND coalesce(last_used, 0) < ?1 AND expires IS NULL",
            [time.milliseconds, token.blob]
        )
        // A session lasts from its last use, even if the clock was ahead.
        guard db.changesCount == 0 else { return }
        try db.run(
            "UPDATE token SET last_used = ?, expires = ? WHERE id = ? AND expires IS NOT NULL",
            [time.milliseconds, time.advanced(by: SessionState.lifetime).milliseconds, token.blob]
        )
    }
}

extension OwnerToken {
    /// Reads a row of `token` that belongs to an owner.
    init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("id"), name: try row["name"], scope: try row.choice("scope"),
            created: try row.timestamp("created"),
            lastUsed: try row.optionalTimestamp("last_used")
        )
    }
}

extension Credential {
    fileprivate init(_ row: StoredRow) throws {
        if row.hasNonNull("owner") {
            self.init(
                .owner(try row.id("owner")), scope: try row.choice("scope"), token: try row.id("id"),
                lastUsed: try row.optionalTimestamp("last_used"), session: try SessionState(row)
            )
        } else if row.hasNonNull("station") {
            self.init(.station(try row.id("station")))
        } else {
            self.init(.operator(try row.id("operator")))
        }
    }
}

extension SessionState {
    /// The times of a session; nil if the row is of a token.
    fileprivate init?(_ row: StoredRow) throws {
        guard let expires = try row.optionalTimestamp("expires") else { return nil }
        self.init(expires: expires, confirmed: try row.optionalTimestamp("confirmed"))
    }
}
