import Foundation
import GRDB
import Registry
import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    /// Erases again what was erased before and is in the database nevertheless, since a backup was restored; returns how
    /// many owners and bikes that were. Happens by itself whenever a database is opened.
    @discardableResult
    public func replayErasures() async throws -> Int {
        let journal = erasures
        let count = try await write { db in try db.replay(try journal.entries()) }
        try await recordErasures()
        return count
    }

    /// Puts erasures that are committed into the journal: those of this call, and any that a failure kept from it.
    func recordErasures() async throws {
        let journal = erasures
        try await readApart { db in try journal.record(db.erasures) }
    }

    /// As ``replayErasures()``, before anyone can read the database; a crash may have come between an erasure and its
    /// entry in the journal.
    func replayErasuresAtOpening() throws {
        let entries = try erasures.entries()
        try pool.write { db in
            _ = try db.replay(entries)
            try db.advanceMissingList()
        }
        let known = Set(entries.map(\.erasure))
        try pool.read { db in
            try erasures.record { _ in
                let (all, newest) = try db.erasures(after: 0)
                return (all.filter { !known.contains($0.erasure) }, newest)
            }
        }
    }
}

extension Database {
    fileprivate func replay(_ entries: [ErasureJournal.Entry]) throws -> Int {
        try entries.filter { entry in try erase(entry.erasure, at: entry.time) }.count
    }

    fileprivate func erasures(after row: Int64) throws -> (entries: [ErasureJournal.Entry], newest: Int64) {
        let rows = try rows("SELECT * FROM erasure WHERE key > ? ORDER BY key", [row])
        let entries = try rows.map { row in
            let erasure: Erasure =
                try row["kind"] == "owner" ? .owner(try row.id("subject")) : .bike(try row.id("subject"))
            return ErasureJournal.Entry(time: try row.timestamp("time"), erasure: erasure)
        }
        return (entries, try rows.last.map { try $0["key"] } ?? row)
    }

    /// Deletes an owner or a bike with all that belongs to it; the beacons' identities stay taken.
    ///
    /// - Returns: whether there was anything to erase.
    @discardableResult
    func erase(_ erasure: Erasure, at time: Timestamp) throws -> Bool {
        switch erasure {
        case .owner(let id):
            guard let key = try integer("SELECT key FROM owner WHERE id = ?", [id.blob]) else { return false }
            for bike in try rows("SELECT * FROM bike WHERE owner = ?", [key]) { try leave(bike, at: time) }
            try run("DELETE FROM once WHERE principal = ?", [Principal.owner(id).blob])
            try eraseAudit(ofOwner: id, at: time)
            try run("DELETE FROM owner WHERE key = ?", [key])
            try insert(erasure, id.blob, at: time)
        case .bike(let id):
            let sql =
                "SELECT bike.*, owner.id AS owner_id FROM bike JOIN owner ON owner.key = bike.owner WHERE bike.id = ?"
            guard let bike = try row(sql, [id.blob]) else { return false }
            try leave(bike, at: time)
            try eraseAudit(ofOwner: try bike.id("owner_id"), bike: id, at: time)
            try run("DELETE FROM bike WHERE key = ?", [try bike["key"] as Int64])
            try insert(erasure, id.blob, at: time)
        }
        return true
    }

    private func insert(_ erasure: Erasure, _ subject: Data, at time: Timestamp) throws {
        try run(
            "INSERT INTO erasure (kind, subject, time) VALUES (?, ?, ?)", [erasure.kind, subject, time.milliseconds]
        )
    }

    /// Retires a bike's beacon, before its row goes.
    private func leave(_ bike: StoredRow, at time: Timestamp) throws {
        guard let beacon = try bike["beacon"] as Data? else { return }
        try countSearch(ofBike: try bike["key"], at: time)
        try retire(beacon, at: time)
    }
}
