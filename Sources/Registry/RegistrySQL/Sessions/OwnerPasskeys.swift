import Passkeys
package import RegistryAPI
package import RegistryRules

/// Owners' passkeys.
package struct OwnerPasskeys {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Passkeys with the identifiers of their owners.
    static let query = """
        SELECT passkey.*, owner.id AS holder_id FROM passkey JOIN owner ON owner.key = passkey.owner

        """

    /// The passkey with this identifier of the authenticator; nil if no owner has it.
    package func find(credentialID: [UInt8]) throws -> StoredPasskey<OwnerID>? {
        let digest = SecretDigest(of: credentialID)
        return try db.row(Self.query + "WHERE digest = ?", [digest.blob]).map(StoredPasskey.init)
    }

    /// All passkeys of an owner, in the order of their creation.
    package func all(of owner: OwnerID) throws -> [StoredPasskey<OwnerID>] {
        try db.rows(Self.query + "WHERE owner.id = ? ORDER BY passkey.id", [owner.blob]).map(StoredPasskey.init)
    }

    /// Adds a passkey, and notifies the owner.
    ///
    /// - Throws: `tooManyPasskeys`, `tooManyToday`, `passkeyKnown`.
    package func add(_ passkey: NewPasskey, by act: OwnerAct, _ quotas: Quotas) throws {
        let owner = try Owners(db).key(of: act.owner)
        let count = try db.integer("SELECT count(*) FROM passkey WHERE owner = ?", [owner]) ?? 0
        guard count < NewPasskey.most else { throw DomainError.tooManyPasskeys(NewPasskey.most) }
        try OwnerLimits(db).noteUse(.passkeys, by: owner, quotas, at: act.time)
        try PasskeyRows.owners.insert(passkey, of: owner, db)
        try Notices(db).tell(.addPasskey, to: owner, subject: passkey.details.name, by: act)
        try AuditTrail(db).append(
            AuditEvent(
                .passkeyAdded, by: act.principal, at: act.time, owner: act.owner,
                details: ["passkey": "\(passkey.details.id)"]))
    }

    /// Removes a passkey with the sessions that it opened, and notifies the owner.
    ///
    /// - Throws: `notFound`.
    package func remove(_ id: PasskeyID, by act: OwnerAct) throws {
        let owner = try Owners(db).key(of: act.owner)
        guard let row = try db.row("SELECT key, name FROM passkey WHERE id = ? AND owner = ?", [id.blob, owner]) else {
            throw DomainError.notFound("passkey")
        }
        // Its sessions end with it.
        try db.run("DELETE FROM passkey WHERE key = ?", [try row["key"] as Int64])
        try Notices(db).tell(.removePasskey, to: owner, subject: try row["name"], by: act)
        try AuditTrail(db).append(
            AuditEvent(
                .passkeyRemoved, by: act.principal, at: act.time, owner: act.owner, details: ["passkey": "\(id)"]))
    }

    /// The number of passkeys that were made for another host.
    package func count(notOf relyingParty: String) throws -> Int {
        Int(clamping: try db.integer("SELECT count(*) FROM passkey WHERE relying_party <> ?", [relyingParty]) ?? 0)
    }
}
