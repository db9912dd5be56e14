import GRDB
import RegistrySQL

extension SQLiteRegistryStore {
    /// Erases again what was erased before and is in the database nevertheless, since a backup was restored; returns how
    /// many owners and bikes that were. Happens by itself whenever a database is opened.
    @discardableResult
    public func replayErasures() async throws -> Int {
        let journal = erasures
        let count = try await write { try Erasures($0).replay(try journal.entries()) }
        try await recordErasures()
        return count
    }

    /// Puts erasures that are committed into the journal: those of this call, and any that a failure kept from it.
    func recordErasures() async throws {
        let journal = erasures
        try await readApart { try journal.record(Erasures($0).entries) }
    }

    /// As ``replayErasures()``, before anyone can read the database; a crash may have come between an erasure and its
    /// entry in the journal.
    func replayErasuresAtOpening() throws {
        let entries = try erasures.entries()
        try pool.write { db in
            _ = try Erasures(db).replay(entries)
            try MissingListJournal(db).advance()
        }
        let known = Set(entries.map(\.erasure))
        try pool.read { db in
            try erasures.record { _ in
                let (all, newest) = try Erasures(db).entries(after: 0)
                return (all.filter { !known.contains($0.erasure) }, newest)
            }
        }
    }
}
