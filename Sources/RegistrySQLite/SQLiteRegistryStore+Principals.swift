import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func credential(token: SecretDigest) async throws -> Credential? {
        try await tokens.proof(of: token, keeps: \.isKept) {
            try await read { db in
                let sql = """
                    SELECT owner.id AS owner, operator.id AS operator, station.id AS station, token.id, scope, last_used
                    FROM token
                    LEFT JOIN owner ON owner.key = token.owner
                    LEFT JOIN operator ON operator.key = token.operator
                    LEFT JOIN station ON station.key = token.station
                    WHERE digest = ?
                    """
                return try db.row(sql, [token.blob]).map(Credential.init)
            }
        }
    }

    public func noteUse(of token: TokenID, at time: Timestamp) async throws {
        try await write { db in
            try db.run(
                "UPDATE token SET last_used = ?1 WHERE id = ?2 AND coalesce(last_used, 0) < ?1",
                [time.milliseconds, token.blob]
            )
        }
    }

    public func addOwner(_ owner: NewOwner) async throws {
        try await write { db in
            if let code = owner.invitation { try db.acceptOwnerInvitation(code, at: owner.created) }
            try db.run(
                "INSERT INTO owner (id, created, tells_appearance) VALUES (?, ?, ?)",
                [owner.id.blob, owner.created.milliseconds, owner.tellsAppearance]
            )
            let key = db.lastInsertedRowID
            try db.insert(owner.token, owner: key)
            try db.insertRecoveryCodes(owner.recoveryCodes, of: key)
            try db.audit(AuditEvent(.ownerCreated, by: nil, at: owner.created, owner: owner.id))
        }
    }

    public func addOwnerInvitation(
        _ id: InvitationID, code: SecretDigest, expires: Timestamp, at time: Timestamp, by operator: OperatorID,
        once: IdempotencyKey?
    ) async throws -> InvitationID {
        try await write { db in
            if let earlier = try db.resource(of: once) {
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
            try db.audit(AuditEvent(.ownerInvited, by: .operator(`operator`), at: time))
            try db.remember(once, resource: id.blob)
            return id
        }
    }
}

extension Database {
    fileprivate func acceptOwnerInvitation(_ code: SecretDigest, at time: Timestamp) throws {
        try run(
            "UPDATE owner_invitation SET accepted = ?1 WHERE code = ?2 AND accepted IS NULL AND expires > ?1",
            [time.milliseconds, code.blob]
        )
        guard changesCount == 1 else { throw DomainError.codeUnusable }
    }
}

extension Credential {
    /// Whether the next call may do without a look-up: an operator's token may be revoked by another program, and operators
    /// call seldom.
    fileprivate var isKept: Bool { principal.kind != .operator }

    fileprivate init(_ row: Row) throws {
        if row.hasNonNull("owner") {
            self.init(
                .owner(try row.id("owner")), scope: try row.choice("scope"), token: try row.id("id"),
                lastUsed: try row.optionalTimestamp("last_used")
            )
        } else if row.hasNonNull("station") {
            self.init(.station(try row.id("station")))
        } else {
            self.init(.operator(try row.id("operator")))
        }
    }
}
