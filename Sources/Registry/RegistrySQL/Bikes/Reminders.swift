import Foundation
package import RegistryAPI
package import RegistryRules

/// Reminders of a bike's dates, and of reports without sightings.
package struct Reminders {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Reminds owners of dates that approach.
    ///
    /// - Returns: the number of reminders that were due.
    package func tell(limit: Int, at time: Timestamp, using entropy: Entropy) throws -> Int {
        let due = "SELECT * FROM reminder WHERE told IS NULL AND due <= ? ORDER BY due LIMIT ?"
        let reminders = try db.rows(due, [time.milliseconds, limit])
        for reminder in reminders { try tell(reminder, at: time, using: entropy) }
        return reminders.count
    }

    /// Asks owners about missing bikes that were heard, but not for ``ReminderRules/quietReport``.
    ///
    /// - Returns: the number of reports that were due for the check.
    package func askAfterQuietReports(limit: Int, at time: Timestamp, using entropy: Entropy) throws -> Int {
        let sql = """
            SELECT key, bike, (
                SELECT max(last_seen) FROM sighting WHERE report = report.key AND dismissed IS NULL
            ) AS heard
            FROM report WHERE closed IS NULL AND quiet_check <= ? LIMIT ?
            """
        let reports = try db.rows(sql, [time.milliseconds, limit])
        for report in reports { try askAfter(report, at: time, using: entropy) }
        return reports.count
    }

    /// Schedules the reminders of a bike's dates; reminders that were already sent are not sent again.
    func plan(ofBike key: Int64, _ upkeep: BikeUpkeep?, at time: Timestamp) throws {
        try db.run("DELETE FROM reminder WHERE bike = ? AND told IS NULL", [key])
        guard let upkeep else { return }
        let zone = try db.row("SELECT zone FROM owner WHERE key = (SELECT owner FROM bike WHERE key = ?)", [key])
        let local = LocalZone(try zone?["zone"])
        for reminder in ReminderRules.reminders(of: upkeep, after: local.clock(at: time).date) {
            try db.run(
                """
                INSERT INTO reminder (bike, event, date, days_before, due) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                [
                    key, reminder.event.rawValue, reminder.date.day, reminder.daysBefore,
                    reminder.due(in: local).milliseconds,
                ]
            )
        }
    }

    /// Sends a reminder of a date and marks all its earlier stages as sent. Dates in the past are skipped.
    private func tell(_ reminder: StoredRow, at time: Timestamp, using entropy: Entropy) throws {
        let key: Int64 = try reminder["bike"]
        let date = CalendarDate(day: try reminder["date"])
        let event: OwnerNotice.Event = try reminder.choice("event")
        try db.run(
            "UPDATE reminder SET told = ?1 WHERE bike = ?2 AND event = ?3 AND date = ?4 AND due <= ?1 AND told IS NULL",
            [time.milliseconds, key, event.rawValue, date.day]
        )
        guard db.changesCount > 0, date >= CalendarDate(time).advanced(byDays: -1),
            let row = try db.row(Bikes.query + "WHERE bike.key = ?", [key])
        else { return }
        let bike = try Bike(row)
        let number = event == .breakdownCoverEnding ? bike.upkeep?.breakdownCoverNumber : nil
        let notice = OwnerNotice(event, bike: bike.summary, subject: number, date: date)
        try Notices(db).queue(notice, toOwner: try row["owner"], at: time, using: entropy)
    }

    /// Asks the owner about a bike without recent sightings, or reschedules the check.
    private func askAfter(_ report: StoredRow, at time: Timestamp, using entropy: Entropy) throws {
        let heard = try report.optionalTimestamp("heard")
        let quietSince = heard?.advanced(by: ReminderRules.quietReport)
        let next = quietSince.flatMap { $0 > time ? $0 : nil }
        try db.run("UPDATE report SET quiet_check = ? WHERE key = ?", [next?.milliseconds, try report["key"] as Int64])
        guard next == nil, let heard,
            let row = try db.row(Bikes.query + "WHERE bike.key = ?", [try report["bike"] as Int64])
        else { return }
        let notice = OwnerNotice(.reportQuiet, bike: try Bike(row).summary, date: CalendarDate(heard))
        try Notices(db).queueForSearch(
            notice, ofBike: try report["bike"], owner: try row["owner"], at: time, using: entropy)
    }
}

extension Bike {
    /// The value of the column upkeep.
    var upkeepColumn: String? {
        get throws { try details.upkeep.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) } }
    }
}

extension StoredRow {
    /// The bike’s dates from the column upkeep; nil if it is NULL.
    func upkeep() throws -> BikeUpkeep? {
        guard let text: String = try self["upkeep"] else { return nil }
        return try JSONDecoder().decode(BikeUpkeep.self, from: Data(text.utf8))
    }
}
