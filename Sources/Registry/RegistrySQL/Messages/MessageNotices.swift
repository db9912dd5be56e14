package import RegistryAPI
package import RegistryRules

/// Notices to owners about finders' messages.
package struct MessageNotices {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Whether ``tell(limit:at:using:)`` would notify anyone.
    package func areWaiting() throws -> Bool {
        try db.exists("SELECT 1 FROM conversation WHERE untold = 1 LIMIT 1", [])
    }

    /// Notifies owners of conversations with messages that they have not been notified of.
    ///
    /// - Returns: the number of conversations.
    package func tell(limit: Int, at time: Timestamp, using entropy: Entropy) throws -> Int {
        let sql = "SELECT key, bike, origin, answered FROM conversation WHERE untold = 1 ORDER BY key LIMIT ?"
        let rows = try db.rows(sql, [limit])
        for row in rows { try tell(row, at: time, using: entropy) }
        return rows.count
    }

    /// Notifies an owner of one conversation, and notes an urgent notice at night, since few may wake the owner.
    private func tell(_ row: StoredRow, at time: Timestamp, using entropy: Entropy) throws {
        let (key, bikeKey): (Int64, Int64) = (try row["key"], try row["bike"])
        let (bike, owner) = (try Bikes(db).existing(bikeKey), try owner(of: bikeKey))
        let isAnswered: Bool = try row["answered"]
        let sql = "SELECT key, message_alarm FROM report WHERE bike = ? AND closed IS NULL"
        let search = try db.row(sql, [bikeKey])
        let isUrgent = MessageUrgency.isUrgent(
            isMissing: bike.openReport != nil, origin: try row.choice("origin"), isAnswered: isAnswered,
            lastAlarm: try search?.optionalTimestamp("message_alarm"), at: time)
        if let search, isUrgent, !isAnswered, try Notices(db).isNight(forOwner: owner, at: time) {
            try db.run(
                "UPDATE report SET message_alarm = ? WHERE key = ?",
                [time.milliseconds, try search["key"] as Int64])
        }
        try Notices(db).queue(
            OwnerNotice(.messageReceived, bike: bike.summary), toOwner: owner, isUrgent: isUrgent, at: time,
            using: entropy)
        try db.run(
            "UPDATE conversation SET untold = NULL, told = ? WHERE key = ?", [time.milliseconds, key])
    }

    /// The key of a bike's owner, by the bike's key.
    private func owner(of bike: Int64) throws -> Int64 {
        guard let owner = try db.integer("SELECT owner FROM bike WHERE key = ?", [bike]) else {
            throw CorruptRow(column: "bike")
        }
        return owner
    }
}
