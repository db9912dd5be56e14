package import RegistryAPI
package import RegistryRules

/// Messages from people who found a beacon.
package struct Finds {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Stores a find until ``tell(limit:at:using:)`` processes it, whether or not the beacon belongs to a bike.
    ///
    /// - Parameter sender: the pseudonym of its sender (``FindSenders``); nil if it is unknown.
    package func add(_ find: Find, from sender: Int64?, at time: Timestamp) throws {
        try db.run(
            "INSERT INTO find (beacon, message, contact, time, sender) VALUES (?, ?, ?, ?, ?)",
            [find.identity.blob, find.message, find.contact, time.milliseconds, sender]
        )
        db.news.finds = true
    }

    /// Whether ``tell(limit:at:using:)`` would notify anyone.
    package func areWaiting() throws -> Bool { try db.exists("SELECT 1 FROM find LIMIT 1", []) }

    /// Adds the oldest finds to their bikes’ histories, and notifies the owners. A find of a beacon that belongs to no
    /// bike is deleted.
    ///
    /// - Returns: the number of finds that were processed.
    package func tell(limit: Int, at time: Timestamp, using entropy: Entropy) throws -> Int {
        let finds = try db.rows("SELECT * FROM find ORDER BY key LIMIT ?", [limit])
        for find in finds {
            try tell(find, at: time, using: entropy)
            try db.run("DELETE FROM find WHERE key = ?", [try find["key"] as Int64])
        }
        return finds.count
    }

    /// Adds a find to its bike’s history and notifies the owner, if there is such a bike.
    private func tell(_ find: StoredRow, at time: Timestamp, using entropy: Entropy) throws {
        let name = try RotatingBeacons(db).name(of: find.identity("beacon"))
        guard let row = try db.row(Bikes.query + "WHERE bike.beacon = ?", [name]) else { return }
        let (key, bike): (Int64, Bike) = (try row["key"], try Bike(row))
        let (message, contact): (String?, String?) = (try find["message"], try find["contact"])
        let event = try BikeBeacons(db).record(
            BikeEvent(.found, at: try find.timestamp("time"), message: message, contact: contact), of: key
        )
        try db.run("UPDATE bike_event SET sender = ? WHERE key = ?", [try find["sender"] as Int64?, event])
        try thinOutFinds(ofBike: key)
        let text = [message, contact].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · ")
        let notice = OwnerNotice(.beaconFound, bike: bike.summary, subject: text.isEmpty ? nil : text)
        // A stranger's message is urgent only if the bike is missing.
        try Notices(db).queue(
            notice, toOwner: try row["owner"], isUrgent: bike.openReport != nil, at: time, using: entropy)
        guard try isRecorded(event, ofBike: key, at: time) else { return }
        let owner = try db.row("SELECT id FROM owner WHERE key = ?", [try row["owner"] as Int64])
        try AuditTrail(db).append(AuditEvent(.findTold, by: nil, at: time, owner: try owner?.id("id"), bike: bike.id))
    }

    /// Whether the audit gets an entry for a find: the history must keep the find, and must not have too many of them
    /// in a day.
    private func isRecorded(_ event: Int64, ofBike bike: Int64, at time: Timestamp) throws -> Bool {
        let sql = """
            SELECT count(*) FROM bike_event WHERE bike = ?1 AND event = 'found' AND key <= ?2 AND time > ?3
                AND EXISTS (SELECT 1 FROM bike_event WHERE key = ?2)
            """
        let begin = time.advanced(by: .days(-1)).milliseconds
        let recorded = try db.integer(sql, [bike, event, begin]) ?? 0
        return (1...Int64(FindRules.recordedPerDay)).contains(recorded)
    }

    /// If a history holds too many finds, deletes the newest find of the sender with the most finds in a day.
    private func thinOutFinds(ofBike bike: Int64) throws {
        let count = try db.integer("SELECT count(*) FROM bike_event WHERE bike = ? AND event = 'found'", [bike])
        guard count ?? 0 > FindRules.most else { return }
        try db.run(
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
