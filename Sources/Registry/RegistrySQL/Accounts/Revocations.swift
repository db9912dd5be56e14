import Foundation
package import RegistryAPI
package import RegistryRules

/// What a restored backup must not bring back: tokens and codes that are no longer valid, and partners that were removed,
/// suspended or distrusted (``Partners``). Triggers add most of it (``Schema``).
package struct Revocations {
    /// The end of a token or a code, which is known by its digest. In place of a digest, an entry about a partner has
    /// other 32 bytes.
    package struct Entry: Hashable, Sendable {
        package let time: Timestamp
        package let digest: SecretDigest

        package init(time: Timestamp, digest: SecretDigest) {
            self.time = time
            self.digest = digest
        }
    }

    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The key of the newest revocation; 0 if there is none.
    package func newest() throws -> Int64 { try db.integer("SELECT max(key) FROM revocation", []) ?? 0 }

    /// The revocations after a row of the table `revocation`, in the order in which they happened.
    ///
    /// - Parameter row: the key of the last row that the caller has; 0 for all revocations.
    /// - Returns: also the key of the newest row; the given one if there is no newer row.
    package func entries(after row: Int64) throws -> (entries: [Entry], newest: Int64) {
        let rows = try db.rows("SELECT * FROM revocation WHERE key > ? ORDER BY key", [row])
        let entries = try rows.map { row in
            guard let digest = SecretDigest(bytes: Array(try row["digest"] as Data)) else {
                throw CorruptRow(column: "digest")
            }
            return Entry(time: try row.timestamp("time"), digest: digest)
        }
        return (entries, try rows.last.map { try $0["key"] } ?? row)
    }

    /// Ends whatever has this digest, of all kinds of secrets, or repeats what an entry about a partner says. Operators
    /// and stations have only one token, so they are revoked, too.
    package func revoke(_ entry: Entry) throws {
        let digest = entry.digest.blob
        if let token = try db.row("SELECT * FROM token WHERE digest = ?", [digest]) {
            try db.run("DELETE FROM token WHERE digest = ?", [digest])
            try AuditTrail(db).append(try revokeHolder(of: token, at: entry.time))
        }
        try db.run("DELETE FROM recovery_code WHERE digest = ?", [digest])
        try db.run("DELETE FROM passkey WHERE digest = ?", [digest])
        try db.run("DELETE FROM desk_passkey WHERE digest = ?", [digest])
        try db.run("DELETE FROM desk_session WHERE digest = ?", [digest])
        try db.run("DELETE FROM share WHERE digest = ?", [digest])
        try db.run("DELETE FROM display WHERE digest = ?", [digest])
        try db.run("DELETE FROM sticker WHERE digest = ?", [digest])
        try Conversations(db).block(digest, at: entry.time)
        try db.run("DELETE FROM invitation WHERE code = ? AND station IS NULL", [digest])
        try db.run("DELETE FROM bike_member WHERE digest = ?", [digest])
        try db.run("DELETE FROM bike_invitation WHERE digest = ?", [digest])
        try db.run("UPDATE bike_number SET consent = NULL WHERE consent = ?", [digest])
        try db.run("UPDATE photo SET staff_consent = NULL WHERE staff_consent = ?", [digest])
        try Partners(db).revoke(digest, at: entry.time)
        try db.run("DELETE FROM owner_invitation WHERE code = ? AND accepted IS NULL", [digest])
    }

    /// Revokes the operator or the station to whom a deleted token belonged.
    ///
    /// - Returns: the audit’s event; empty if the token’s holder no longer exists.
    private func revokeHolder(of token: StoredRow, at time: Timestamp) throws -> [AuditEvent] {
        if let key: Int64 = try token["operator"], let found = try db.row("SELECT * FROM operator WHERE key = ?", [key])
        {
            let id: OperatorID = try found.id("id")
            try db.run("UPDATE operator SET revoked = ? WHERE key = ? AND revoked IS NULL", [time.milliseconds, key])
            let details = ["name": try found["name"] as String, "operator": "\(id)"]
            return [AuditEvent(.operatorRevoked, by: nil, at: time, details: details)]
        }
        if let key: Int64 = try token["station"], let found = try db.row("SELECT id FROM station WHERE key = ?", [key])
        {
            let sql = "UPDATE station SET revoked = ?, version = version + 1 WHERE key = ? AND revoked IS NULL"
            try db.run(sql, [time.milliseconds, key])
            return [AuditEvent(.stationRevoked, by: nil, at: time, station: try found.id("id"))]
        }
        if let key: Int64 = try token["owner"], let found = try db.row("SELECT id FROM owner WHERE key = ?", [key]) {
            let id: TokenID = try token.id("id")
            return [
                AuditEvent(
                    .tokenRevoked, by: nil, at: time, owner: try found.id("id"), details: ["token": "\(id)"])
            ]
        }
        return []
    }
}
