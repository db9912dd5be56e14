import GRDB
public import Registry
public import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    public func addFind(_ find: Find, from sender: Int64?, at time: Timestamp) async throws {
        try await write { db in
            try db.run(
                "INSERT INTO find (beacon, message, contact, time, sender) VALUES (?, ?, ?, ?, ?)",
                [find.identity.blob, find.message, find.contact, time.milliseconds, sender]
            )
        }
    }

    public func tellFinds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { db in
            let finds = try db.rows("SELECT * FROM find ORDER BY key LIMIT ?", [limit])
            for find in finds {
                try db.tell(find, at: time, using: entropy)
                try db.run("DELETE FROM find WHERE key = ?", [try find["key"] as Int64])
            }
            return finds.count
        }
    }
}

extension Database {
    /// Keeps a find in its bike's history and tells the holder, if there is one.
    fileprivate func tell(_ find: StoredRow, at time: Timestamp, using entropy: Entropy) throws {
        let sql = bikeQuery + "WHERE beacon = ?"
        guard let row = try row(sql, [try find.identity("beacon").blob]) else { return }
        let (key, bike): (Int64, Bike) = (try row["key"], try Bike(row))
        let (message, contact): (String?, String?) = (try find["message"], try find["contact"])
        try record(
            BikeEvent(.found, at: try find.timestamp("time"), message: message, contact: contact), of: key
        )
        try run("UPDATE bike_event SET sender = ? WHERE key = ?", [try find["sender"] as Int64?, lastInsertedRowID])
        try thinOutFinds(ofBike: key)
        let words = [message, contact].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · ")
        let notice = OwnerNotice(.beaconFound, bike: bike.summary, subject: words.isEmpty ? nil : words)
        // Nobody is to be woken by a stranger unless the bike is missing.
        try queueAlerts(
            notice, toOwner: try row["owner"], isUrgent: bike.openReport != nil, at: time, using: entropy)
        let owner = try self.row("SELECT id FROM owner WHERE key = ?", [try row["owner"] as Int64])
        try audit(AuditEvent(.findTold, by: nil, at: time, owner: try owner?.id("id"), bike: bike.id))
    }

    /// Where a history holds too many finds, the newest one goes of the sender that has the most of a day.
    private func thinOutFinds(ofBike bike: Int64) throws {
        let count = try integer("SELECT count(*) FROM bike_event WHERE bike = ? AND event = 'found'", [bike])
        guard count ?? 0 > FindRules.most else { return }
        try run(
            """
            DELETE FROM bike_event WHERE key = (
                SELECT max(key) FROM bike_event WHERE bike = ? AND event = 'found'
                GROUP BY time / 86400000, sender ORDER BY count(*) DESC, max(key) DESC LIMIT 1
            )
            """,
            [bike]
        )
    }
}
