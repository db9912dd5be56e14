import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func principal(token: SecretDigest) async throws -> Principal? {
        try await read { db in try db.principal(token: token) }
    }

    public func principals(tokens: [SecretDigest]) async throws -> [Principal?] {
        try await read { db in try tokens.map { try db.principal(token: $0) } }
    }

    public func addOwner(_ owner: Owner, token: SecretDigest) async throws {
        try await write { db in
            try db.run("INSERT INTO owner (id, created) VALUES (?, ?)", [owner.id.blob, owner.created.milliseconds])
            try db.run(
                "INSERT INTO token (digest, owner, created) VALUES (?, ?, ?)",
                [token.blob, db.lastInsertedRowID, owner.created.milliseconds]
            )
        }
    }

    public func addOperator(_ id: OperatorID, name: String, created: Timestamp, token: SecretDigest) async throws {
        try await write { db in
            try db.run(
                "INSERT INTO operator (id, name, created) VALUES (?, ?, ?)", [id.blob, name, created.milliseconds]
            )
            try db.run(
                "INSERT INTO token (digest, operator, created) VALUES (?, ?, ?)",
                [token.blob, db.lastInsertedRowID, created.milliseconds]
            )
        }
    }

    public func owner(_ id: OwnerID) async throws -> Owner? {
        try await read { db in
            let row = try db.row("SELECT created FROM owner WHERE id = ?", [id.blob])
            return row.map { Owner(id: id, created: $0.timestamp("created")) }
        }
    }
}

extension Database {
    fileprivate func principal(token: SecretDigest) throws -> Principal? {
        let sql = """
            SELECT owner.id AS owner, operator.id AS operator, station.id AS station
            FROM token
            LEFT JOIN owner ON owner.key = token.owner
            LEFT JOIN operator ON operator.key = token.operator
            LEFT JOIN station ON station.key = token.station
            WHERE digest = ?
            """
        guard let row = try row(sql, [token.blob]) else { return nil }
        if row.hasNonNull("owner") { return .owner(try row.id("owner")) }
        if row.hasNonNull("station") { return .station(try row.id("station")) }
        return .operator(try row.id("operator"))
    }
}

extension Row {
    func hasNonNull(_ column: String) -> Bool { !((self[column] as DatabaseValue?)?.isNull ?? true) }
}
