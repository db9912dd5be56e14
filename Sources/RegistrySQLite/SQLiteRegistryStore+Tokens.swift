import Foundation
import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func tokens(
        of owner: OwnerID, _ page: PageRequest<TokenID>
    ) async throws -> StoredPage<OwnerToken, TokenID> {
        try await read { db in
            let sql = """
                SELECT * FROM token WHERE owner = (SELECT key FROM owner WHERE id = ?) AND id > ? ORDER BY id LIMIT ?
                """
            let after = page.after ?? TokenID(high: 0, low: 0)
            return try db.rows(sql, [owner.blob, after.blob, page.limit + 1])
                .map(OwnerToken.init)
                .page(limit: page.limit, cursor: \.id)
        }
    }

    public func addToken(_ token: NewToken, by act: OwnerAct, once: IdempotencyKey?) async throws -> OwnerToken {
        try await write { [quotas] db in
            let owner = try db.key(of: act.owner)
            if let earlier = try db.resource(of: once) { return try db.renewToken(earlier, token.digest, owner: owner) }
            try db.requireRoom(for: .tokens, of: owner, quotas)
            try db.insert(token, owner: owner)
            try db.audit(
                AuditEvent(
                    .tokenCreated, by: act.principal, at: act.time, owner: act.owner,
                    details: ["token": token.details.id.description, "scope": token.details.scope.rawValue]
                )
            )
            try db.tell(.makeToken, to: owner, subject: token.details.name, by: act)
            try db.remember(once, resource: token.details.id.blob)
            return token.details
        }
    }

    public func revokeToken(_ id: TokenID, by act: OwnerAct) async throws {
        try await write { db in
            let owner = try db.key(of: act.owner)
            let sql = "SELECT name FROM token WHERE id = ? AND owner = ?"
            guard let token = try db.row(sql, [id.blob, owner]) else { throw DomainError.notFound("token") }
            try db.run("DELETE FROM token WHERE id = ?", [id.blob])
            try db.tell(.revokeToken, to: owner, subject: try token["name"], by: act)
            try db.audit(
                AuditEvent(
                    .tokenRevoked, by: act.principal, at: act.time, owner: act.owner, details: ["token": "\(id)"]
                )
            )
        }
    }

    public func recover(
        code: SecretDigest, token: NewToken, at time: Timestamp, using entropy: Entropy
    ) async throws -> OwnerToken {
        try await write { db in
            let sql = """
                SELECT owner.key, owner.id FROM recovery_code JOIN owner ON owner.key = recovery_code.owner
                WHERE digest = ?
                """
            guard let row = try db.row(sql, [code.blob]) else { throw DomainError.codeUnusable }
            let (owner, id): (Int64, OwnerID) = (try row["key"], try row.id("id"))
            try db.run("DELETE FROM recovery_code WHERE digest = ?", [code.blob])
            try db.insert(token, owner: owner)
            try db.audit(
                AuditEvent(
                    .recoveryUsed, by: .owner(id), at: time, owner: id, details: ["token": "\(token.details.id)"]
                )
            )
            let notice = OwnerNotice(.recoveryUsed, subject: token.details.name)
            try db.queueAlerts(notice, toOwner: owner, at: time, using: entropy)
            return token.details
        }
    }

    public func replaceRecoveryCodes(with codes: [SecretDigest], by act: OwnerAct) async throws {
        try await write { db in
            let owner = try db.key(of: act.owner)
            try db.confirm(act, owner: owner, against: .replaceRecoveryCodes)
            try db.run("DELETE FROM recovery_code WHERE owner = ?", [owner])
            try db.insertRecoveryCodes(codes, of: owner)
            try db.tell(.replaceRecoveryCodes, to: owner, by: act)
            try db.audit(AuditEvent(.recoveryCodesReplaced, by: act.principal, at: act.time, owner: act.owner))
        }
    }
}

extension Database {
    func insert(_ token: NewToken, owner: Int64) throws {
        let details = token.details
        try run(
            "INSERT INTO token (digest, owner, id, name, scope, created) VALUES (?, ?, ?, ?, ?, ?)",
            [
                token.digest.blob, owner, details.id.blob, details.name, details.scope.rawValue,
                details.created.milliseconds,
            ]
        )
    }

    /// Gives a token that nobody has used another secret.
    fileprivate func renewToken(_ id: Data, _ digest: SecretDigest, owner: Int64) throws -> OwnerToken {
        guard let row = try row("SELECT * FROM token WHERE id = ? AND owner = ?", [id, owner]) else {
            throw DomainError.notFound("token")
        }
        let token = try OwnerToken(row)
        guard token.lastUsed == nil else { throw DomainError.tokenInUse(token.id) }
        try run("UPDATE token SET digest = ? WHERE id = ?", [digest.blob, id])
        return token
    }
}

extension OwnerToken {
    init(_ row: Row) throws {
        self.init(
            id: try row.id("id"), name: try row["name"], scope: try row.choice("scope"),
            created: try row.timestamp("created"),
            lastUsed: try row.optionalTimestamp("last_used")
        )
    }
}
