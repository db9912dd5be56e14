import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func credential(token: SecretDigest) async throws -> Credential? {
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

    public func noteUse(of token: TokenID, at time: Timestamp) async throws {
        try await write { db in
            try db.run(
                "UPDATE token SET last_used = ?1 WHERE id = ?2 AND coalesce(last_used, 0) < ?1",
                [time.milliseconds, token.blob]
            )
        }
    }

    public func addOwner(_ owner: Owner, token: NewToken) async throws {
        try await write { db in
            try db.run("INSERT INTO owner (id, created) VALUES (?, ?)", [owner.id.blob, owner.created.milliseconds])
            try db.insert(token, owner: db.lastInsertedRowID)
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
}

extension Credential {
    fileprivate init(_ row: Row) throws {
        if row.hasNonNull("owner") {
            self.init(
                .owner(try row.id("owner")), scope: try row.choice("scope"), token: try row.id("id"),
                lastUsed: row.optionalTimestamp("last_used")
            )
        } else if row.hasNonNull("station") {
            self.init(.station(try row.id("station")))
        } else {
            self.init(.operator(try row.id("operator")))
        }
    }
}

extension Row {
    func hasNonNull(_ column: String) -> Bool { !((self[column] as DatabaseValue?)?.isNull ?? true) }
}
