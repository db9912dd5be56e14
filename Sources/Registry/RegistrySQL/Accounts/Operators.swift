package import RegistryAPI
package import RegistryRules

/// Operators and their tokens.
package struct Operators {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Adds an operator with the only token that the operator has.
    ///
    /// - Parameter creator: the operator who adds it; nil on the server itself.
    package func add(_ details: Operator, token: SecretDigest, by creator: OperatorID?) throws {
        let key = try db.insert(
            "INSERT INTO operator (id, name, created) VALUES (?, ?, ?)",
            [details.id.blob, details.name, details.created.milliseconds]
        )
        try db.run(
            "INSERT INTO token (digest, operator, created) VALUES (?, ?, ?)",
            [token.blob, key, details.created.milliseconds]
        )
        try AuditTrail(db).append(
            AuditEvent(
                .operatorCreated, by: creator.map(Principal.operator), at: details.created,
                details: ["name": details.name, "operator": "\(details.id)"]
            )
        )
    }

    /// All operators, including revoked ones, in the order of their creation.
    package func page(_ page: PageRequest<OperatorID>) throws -> StoredPage<Operator, OperatorID> {
        let after = page.after ?? OperatorID(high: 0, low: 0)
        return try db.rows("SELECT * FROM operator WHERE id > ? ORDER BY id LIMIT ?", [after.blob, page.limit + 1])
            .map(Operator.init)
            .page(limit: page.limit, cursor: \.id)
    }

    /// Deletes an operator’s token. Revoking again changes nothing.
    ///
    /// - Parameters:
    ///   - revoker: the operator who revokes it; nil on the server itself.
    ///   - keepsLast: whether revoking the last operator is refused.
    /// - Throws: `notFound`, `lastOperator`.
    package func revoke(
        _ id: OperatorID, by revoker: OperatorID?, keepsLast: Bool, at time: Timestamp
    ) throws -> Operator {
        guard let row = try db.row("SELECT * FROM operator WHERE id = ?", [id.blob]) else {
            throw DomainError.notFound("operator")
        }
        var found = try Operator(row)
        guard found.revoked == nil else { return found }
        let others = "SELECT 1 FROM operator WHERE revoked IS NULL AND id <> ?"
        guard try !keepsLast || db.exists(others, [id.blob]) else { throw DomainError.lastOperator }
        try db.run("DELETE FROM token WHERE operator = ?", [try row["key"] as Int64])
        try db.run("UPDATE operator SET revoked = ? WHERE id = ?", [time.milliseconds, id.blob])
        try AuditTrail(db).append(
            AuditEvent(
                .operatorRevoked, by: revoker.map(Principal.operator), at: time,
                details: ["name": found.name, "operator": "\(id)"]
            )
        )
        found.revoked = time
        return found
    }
}

extension Operator {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("id"), name: try row["name"], created: try row.timestamp("created"),
            revoked: try row.optionalTimestamp("revoked")
        )
    }
}
