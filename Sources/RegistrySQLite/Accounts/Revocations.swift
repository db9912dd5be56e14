import Foundation
import GRDB
import Registry
import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    static func revocationJournal(of database: String) -> String { database + ".revocations" }

    /// Puts revocations that are committed into the journal.
    func recordRevocations() async throws {
        let journal = revocations
        try await readApart { db in try journal.record(db.revocations) }
    }

    /// Revokes again what was revoked before and is in the database nevertheless, since a backup was restored; before
    /// anyone can read the database. A crash may have come between a revocation and its line in the journal.
    func replayRevocationsAtOpening() throws {
        let entries = try revocations.entries()
        try pool.write { db in for entry in entries { try db.revoke(entry) } }
        let known = Set(entries.map(\.digest))
        try pool.read { db in
            try revocations.record { _ in
                let (all, newest) = try db.revocations(after: 0)
                return (all.filter { !known.contains($0.digest) }, newest)
            }
        }
    }

    /// Leaves what is in the database to the registry that serves it.
    func beginRevocations() throws {
        try pool.read { db in
            try revocations.record { _ in ([], try db.integer("SELECT max(key) FROM revocation", []) ?? 0) }
        }
    }

    /// Has the writing connection tell of each revocation.
    func watchRevocations(_ db: Database) throws {
        db.add(
            function: DatabaseFunction("revocation_made", argumentCount: 0) { [weak revocations] _ in
                revocations?.touch()
                return nil
            }
        )
        try db.execute(
            sql: """
                CREATE TEMP TRIGGER revocation_made AFTER INSERT ON main.revocation
                BEGIN SELECT revocation_made(); END
                """
        )
    }
}

extension Database {
    fileprivate func revocations(after row: Int64) throws -> (entries: [RevocationJournal.Entry], newest: Int64) {
        let rows = try rows("SELECT * FROM revocation WHERE key > ? ORDER BY key", [row])
        let entries = try rows.map { row in
            guard let digest = SecretDigest(bytes: Array(try row["digest"] as Data)) else {
                throw CorruptRow(column: "digest")
            }
            return RevocationJournal.Entry(time: try row.timestamp("time"), digest: digest)
        }
        return (entries, try rows.last.map { try $0["key"] } ?? row)
    }

    /// Takes a token or a code away; whoever has no other token is revoked.
    fileprivate func revoke(_ entry: RevocationJournal.Entry) throws {
        let digest = entry.digest.blob
        if let token = try row("SELECT * FROM token WHERE digest = ?", [digest]) {
            try run("DELETE FROM token WHERE digest = ?", [digest])
            try audit(try revocation(of: token, at: entry.time))
        }
        try run("DELETE FROM recovery_code WHERE digest = ?", [digest])
        try run("DELETE FROM invitation WHERE code = ? AND station IS NULL", [digest])
        try run("DELETE FROM owner_invitation WHERE code = ? AND accepted IS NULL", [digest])
    }

    private func revocation(of token: StoredRow, at time: Timestamp) throws -> [AuditEvent] {
        if let key: Int64 = try token["operator"], let found = try row("SELECT * FROM operator WHERE key = ?", [key]) {
            let id: OperatorID = try found.id("id")
            try run("UPDATE operator SET revoked = ? WHERE key = ? AND revoked IS NULL", [time.milliseconds, key])
            let details = ["name": try found["name"] as String, "operator": "\(id)"]
            return [AuditEvent(.operatorRevoked, by: nil, at: time, details: details)]
        }
        if let key: Int64 = try token["station"], let found = try row("SELECT id FROM station WHERE key = ?", [key]) {
            let sql = "UPDATE station SET revoked = ?, version = version + 1 WHERE key = ? AND revoked IS NULL"
            try run(sql, [time.milliseconds, key])
            return [AuditEvent(.stationRevoked, by: nil, at: time, station: try found.id("id"))]
        }
        if let key: Int64 = try token["owner"], let found = try row("SELECT id FROM owner WHERE key = ?", [key]) {
            let id: TokenID = try token.id("id")
            return [
                AuditEvent(
                    .tokenRevoked, by: nil, at: time, owner: try found.id("id"), details: ["token": "\(id)"])
            ]
        }
        return []
    }
}
