import GRDB
import RegistrySQL

extension SQLiteRegistryStore {
    static func revocationJournal(of database: String) -> String { database + ".revocations" }

    /// Adds committed revocations to the journal.
    func recordRevocations() async throws {
        let journal = revocations
        try await readApart { try journal.record(Revocations($0).entries) }
    }

    /// Revokes again the tokens and codes that a restored backup brought back, before anyone can read the database. A
    /// crash may have occurred between a revocation and its line in the journal.
    func replayRevocationsAtOpening() throws {
        let entries = try revocations.entries()
        try pool.write { db in for entry in entries { try Revocations(db).revoke(entry) } }
        let known = Set(entries.map(\.digest))
        try pool.read { db in
            try revocations.record { _ in
                let (all, newest) = try Revocations(db).entries(after: 0)
                return (all.filter { !known.contains($0.digest) }, newest)
            }
        }
    }

    /// Marks the revocations already in the database as recorded; the registry that serves it writes the journal.
    func beginRevocations() throws {
        try pool.read { db in
            try revocations.record { _ in ([], try Revocations(db).newest()) }
        }
    }

    /// Makes the writing connection report each revocation.
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
