import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func addFind(_ find: Find, at time: Timestamp) async throws {
        try await write { db in
            try db.run(
                "INSERT INTO find (beacon, message, contact, time) VALUES (?, ?, ?, ?)",
                [find.identity.blob, find.message, find.contact, time.milliseconds]
            )
        }
    }

    public func tellFinds(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { db in
            let finds = try db.rows("SELECT * FROM find ORDER BY key LIMIT ?", [limit])
            for find in finds {
                try db.tell(find, at: time, using: entropy)
                try db.run("DELETE FROM find WHERE key = ?", [find["key"] as Int64])
            }
            return finds.count
        }
    }
}

extension Database {
    /// Tells the holder of the beacon of a find, if there is one, and not too often.
    fileprivate func tell(_ find: Row, at time: Timestamp, using entropy: Entropy) throws {
        let sql = bikeQuery + "WHERE beacon = ?"
        guard let row = try row(sql, [try find.identity("beacon").blob]) else { return }
        let (key, bike): (Int64, Bike) = (row["key"], try Bike(row))
        let day = time.advanced(by: .seconds(-86_400))
        let told = try integer(
            "SELECT count(*) FROM bike_event WHERE bike = ? AND event = ? AND time > ?",
            [key, BikeEvent.Kind.found.rawValue, day.milliseconds]
        )
        guard told ?? 0 < FindRules.perDay else { return }
        let (message, contact): (String?, String?) = (find["message"], find["contact"])
        try record(
            BikeEvent(.found, at: find.timestamp("time"), message: message, contact: contact), of: key
        )
        let words = [message, contact].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · ")
        let notice = OwnerNotice(.beaconFound, bike: bike.summary, subject: words.isEmpty ? nil : words)
        try queueAlerts(notice, toOwner: row["owner"], at: time, using: entropy)
        let owner = try self.row("SELECT id FROM owner WHERE key = ?", [row["owner"] as Int64])
        try audit(AuditEvent(.findTold, by: nil, at: time, owner: try owner?.id("id"), bike: bike.id))
    }
}
