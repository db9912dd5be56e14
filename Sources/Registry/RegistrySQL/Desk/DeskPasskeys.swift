import Passkeys
package import RegistryAPI
package import RegistryRules

/// Operators' passkeys.
package struct DeskPasskeys {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Passkeys with the identifiers of their operators.
    static let query = """
        SELECT desk_passkey.*, operator.id AS holder_id
        FROM desk_passkey JOIN operator ON operator.key = desk_passkey.operator

        """

    /// The passkey with this identifier of the authenticator; nil if no operator has it.
    package func find(credentialID: [UInt8]) throws -> StoredPasskey<OperatorID>? {
        let digest = SecretDigest(of: credentialID)
        return try db.row(Self.query + "WHERE digest = ?", [digest.blob]).map(StoredPasskey.init)
    }

    /// All passkeys of an operator, in the order of their creation.
    package func all(of operator: OperatorID) throws -> [StoredPasskey<OperatorID>] {
        try db.rows(Self.query + "WHERE operator.id = ? ORDER BY desk_passkey.id", [`operator`.blob])
            .map(StoredPasskey.init)
    }

    /// Adds a passkey.
    ///
    /// - Throws: `notFound` for an operator who is unknown or revoked, `tooManyPasskeys`, `passkeyKnown`.
    package func add(_ passkey: NewPasskey, of operator: OperatorID) throws {
        let sql = "SELECT key FROM operator WHERE id = ? AND revoked IS NULL"
        guard let key = try db.integer(sql, [`operator`.blob]) else { throw DomainError.notFound("operator") }
        let count = try db.integer("SELECT count(*) FROM desk_passkey WHERE operator = ?", [key]) ?? 0
        guard count < DeskSessionState.mostPasskeys else {
            throw DomainError.tooManyPasskeys(DeskSessionState.mostPasskeys)
        }
        try PasskeyRows.operators.insert(passkey, of: key, db)
        let details = passkey.details
        try DeskSessions(db).audit(
            .deskPasskeyAdded, of: `operator`, at: details.created,
            ["passkey": "\(details.id)", "name": details.name])
    }

    /// Removes a passkey with the sessions that it opened.
    ///
    /// - Throws: `notFound`.
    package func remove(_ id: PasskeyID, of operator: OperatorID, at time: Timestamp) throws {
        let sql = Self.query + "WHERE desk_passkey.id = ? AND operator.id = ?"
        guard let row = try db.row(sql, [id.blob, `operator`.blob]) else { throw DomainError.notFound("passkey") }
        // Its sessions end with it.
        try db.run("DELETE FROM desk_passkey WHERE key = ?", [try row["key"] as Int64])
        try DeskSessions(db).audit(.deskPasskeyRemoved, of: `operator`, at: time, ["passkey": "\(id)"])
    }
}
