import GRDB
import RegistrySQL

// Revocations, which are in a journal next to the database before they are confirmed.
extension SQLiteRegistryStore {
    /// The path of the journal.
    static func revocationJournal(of database: String) -> String { database + ".revocations" }

    /// Adds committed revocations to the journal.
    func recordRevocations() async throws {
        try await readApart { [revocations, revocationWatch] db in
            try revocationWatch.recording { try revocations.record(Revocations(db).entries) }
        }
    }

    /// Revokes again the tokens and codes that a restored backup brought back, before anyone can read the database.
    func replayRevocationsAtOpening() throws {
        let entries = try revocations.entries()
        try pool.write { db in
            let transaction = SQLiteTransaction(db)
            for entry in entries { try Revocations(transaction).revoke(entry) }
            try MissingListJournal(transaction).advance()
        }
        try pool.read { try revocations.recordUnknown(besides: entries, Revocations(SQLiteTransaction($0)).entries) }
    }

    /// Marks the revocations already in the database as recorded; the registry that serves it writes the journal.
    func beginRevocations() throws {
        try pool.read { db in
            try revocations.record { _ in ([], try Revocations(SQLiteTransaction(db)).newest()) }
        }
    }

    /// Makes the writing connection report each revocation.
    func watchRevocations(_ db: Database) throws {
        db.add(
            function: DatabaseFunction("revocation_made", argumentCount: 0) { [weak revocationWatch] _ in
                revocationWatch?.touch()
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
