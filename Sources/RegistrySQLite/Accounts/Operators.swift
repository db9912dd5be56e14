import GRDB
public import Registry
public import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    public func addOperator(_ details: Operator, token: SecretDigest, by creator: OperatorID?) async throws {
        try await write { db in
            try db.run(
                "INSERT INTO operator (id, name, created) VALUES (?, ?, ?)",
                [details.id.blob, details.name, details.created.milliseconds]
            )
            try db.run(
                "INSERT INTO token (digest, operator, created) VALUES (?, ?, ?)",
                [token.blob, db.lastInsertedRowID, details.created.milliseconds]
            )
            try db.audit(
                AuditEvent(
                    .operatorCreated, by: creator.map(Principal.operator), at: details.created,
                    details: ["name": details.name, "operator": "\(details.id)"]
                )
            )
        }
    }

    public func operators(_ page: PageRequest<OperatorID>) async throws -> StoredPage<Operator, OperatorID> {
        try await read { db in
            let after = page.after ?? OperatorID(high: 0, low: 0)
            return try db.rows("SELECT * FROM operator WHERE id > ? ORDER BY id LIMIT ?", [after.blob, page.limit + 1])
                .map(Operator.init)
                .page(limit: page.limit, cursor: \.id)
        }
    }

    public func revokeOperator(
        _ id: OperatorID, by revoker: OperatorID?, keepsLast: Bool, at time: Timestamp
    ) async throws -> Operator {
        try await write { db in
            guard let row = try db.row("SELECT * FROM operator WHERE id = ?", [id.blob]) else {
                throw DomainError.notFound("operator")
            }
            var found = try Operator(row)
            guard found.revoked == nil else { return found }
            let another = "SELECT 1 FROM operator WHERE revoked IS NULL AND id <> ?"
            guard try !keepsLast || db.exists(another, [id.blob]) else { throw DomainError.lastOperator }
            try db.run("DELETE FROM token WHERE operator = ?", [try row["key"] as Int64])
            try db.run("UPDATE operator SET revoked = ? WHERE id = ?", [time.milliseconds, id.blob])
            try db.audit(
                AuditEvent(
                    .operatorRevoked, by: revoker.map(Principal.operator), at: time,
                    details: ["name": found.name, "operator": "\(id)"]
                )
            )
            found.revoked = time
            return found
        }
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
