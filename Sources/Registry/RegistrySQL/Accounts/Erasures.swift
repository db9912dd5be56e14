import Foundation
package import RegistryAPI
import RegistryRules

/// Erases owners and bikes, and lists what was erased: an older backup that is restored must not bring it back.
package struct Erasures {
    /// An erasure, as the database and the journal next to it hold it.
    package struct Entry: Hashable, Sendable {
        package let time: Timestamp
        package let erasure: Erasure

        package init(time: Timestamp, erasure: Erasure) {
            self.time = time
            self.erasure = erasure
        }
    }

    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Repeats erasures after an older backup was restored.
    ///
    /// - Returns: how many of them still found something to erase.
    package func replay(_ entries: [Entry]) throws -> Int {
        try entries.filter { entry in try erase(entry.erasure, at: entry.time) }.count
    }

    /// The erasures after a row of the table `erasure`, in the order in which they were made.
    ///
    /// - Parameter row: the key of the last row that the caller has; 0 for all erasures.
    /// - Returns: also the key of the newest row; the given one if there is no newer row.
    package func entries(after row: Int64) throws -> (entries: [Entry], newest: Int64) {
        let rows = try db.rows("SELECT * FROM erasure WHERE key > ? ORDER BY key", [row])
        let entries = try rows.map { row in
            let erasure: Erasure =
                try row["kind"] == "owner" ? .owner(try row.id("subject")) : .bike(try row.id("subject"))
            return Entry(time: try row.timestamp("time"), erasure: erasure)
        }
        return (entries, try rows.last.map { try $0["key"] } ?? row)
    }

    /// Deletes an owner or a bike and everything that belongs to it; the beacons' identities stay taken.
    ///
    /// - Returns: whether there was anything to erase.
    @discardableResult
    func erase(_ erasure: Erasure, at time: Timestamp) throws -> Bool {
        switch erasure {
        case .owner(let id):
            guard let key = try db.integer("SELECT key FROM owner WHERE id = ?", [id.blob]) else { return false }
            let bikes = try db.rows("SELECT * FROM bike WHERE owner = ?", [key])
            for bike in bikes { try prepareErasure(of: bike, at: time) }
            try db.run("DELETE FROM once WHERE principal = ?", [Principal.owner(id).blob])
            try AuditTrail(db).erase(ofOwner: id, at: time)
            try db.run("DELETE FROM owner WHERE key = ?", [key])
            try record(erasure, of: id.blob, at: time)
        case .bike(let id):
            let sql =
                "SELECT bike.*, owner.id AS owner_id FROM bike JOIN owner ON owner.key = bike.owner WHERE bike.id = ?"
            guard let bike = try db.row(sql, [id.blob]) else { return false }
            try prepareErasure(of: bike, at: time)
            try AuditTrail(db).erase(ofOwner: try bike.id("owner_id"), bike: id, at: time)
            try db.run("DELETE FROM bike WHERE key = ?", [try bike["key"] as Int64])
            try record(erasure, of: id.blob, at: time)
        }
        return true
    }

    /// Adds a row to the table `erasure`, from which the journal is written.
    private func record(_ erasure: Erasure, of subject: Data, at time: Timestamp) throws {
        try db.run(
            "INSERT INTO erasure (kind, subject, time) VALUES (?, ?, ?)", [erasure.kind, subject, time.milliseconds]
        )
    }

    /// Retires the beacon of a bike whose row is about to be deleted, and deletes its conversations, except those that
    /// the operator has yet to read.
    private func prepareErasure(of bike: StoredRow, at time: Timestamp) throws {
        try Conversations(db).deleteAll(of: try bike["key"], at: time)
        for report in try db.rows("SELECT key FROM report WHERE bike = ?", [try bike["key"] as Int64]) {
            _ = try Sightings(db).deleteAll(of: try report["key"])
        }
        guard let beacon = try bike["beacon"] as Data? else { return }
        try Searches(db).count(ofBike: try bike["key"], at: time)
        try Identities(db).retire(beacon, at: time)
    }
}

/// The erased owner or bike, by identifier alone.
package enum Erasure: Hashable, Sendable {
    case owner(OwnerID)
    case bike(BikeID)

    /// The word for it in the table `erasure` and in the journal.
    package var kind: String {
        switch self {
        case .owner: "owner"
        case .bike: "bike"
        }
    }

    /// The identifier of the owner or the bike as text.
    package var id: String {
        switch self {
        case .owner(let id): id.description
        case .bike(let id): id.description
        }
    }

    /// Reads what ``kind`` and ``id`` give; nil for any other text.
    package init?(kind: String, id: String) {
        switch kind {
        case "owner":
            guard let id = OwnerID(id) else { return nil }
            self = .owner(id)
        case "bike":
            guard let id = BikeID(id) else { return nil }
            self = .bike(id)
        default: return nil
        }
    }
}
