import GRDB
public import RegistryAPI
public import RegistryRules
import RegistrySQL

// Erasures, which are in a journal next to the database before they are confirmed.
extension SQLiteRegistryStore {
    public func eraseOwner(_ owner: Owner, by act: OwnerAct) async throws {
        try await write { try Owners($0).erase(owner, by: act) }
        try await recordErasures()
    }

    public func eraseBike(_ bike: Bike, by act: OwnerAct) async throws {
        try await write { try Bikes($0).erase(bike, by: act) }
        try await recordErasures()
    }

    /// Adds committed erasures to the journal, including any that an earlier failure left out.
    func recordErasures() async throws {
        let journal = erasures
        try await readApart { try journal.record(Erasures($0).entries) }
    }

    /// Erases again the owners and bikes that a restored backup brought back, before anyone can read the database.
    func replayErasuresAtOpening() throws {
        let entries = try erasures.entries()
        try pool.write { db in
            let transaction = SQLiteTransaction(db)
            _ = try Erasures(transaction).replay(entries)
            try MissingListJournal(transaction).advance()
        }
        try pool.read { try erasures.recordUnknown(besides: entries, Erasures(SQLiteTransaction($0)).entries) }
    }
}
