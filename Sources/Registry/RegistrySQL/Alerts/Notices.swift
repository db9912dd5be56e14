import Foundation
package import RegistryAPI
package import RegistryRules

/// Notices to owners other than alerts about sightings.
package struct Notices {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Sends the notices that were held back in windows that are over, one for each window.
    ///
    /// - Parameter limit: the maximum number of windows.
    /// - Returns: the number of windows.
    package func tellHeld(limit: Int, at time: Timestamp, using entropy: Entropy) throws -> Int {
        let ended = "until <= ? ORDER BY until LIMIT ?"
        let count = try tellHeld(ended, [time.milliseconds, limit], at: time, using: entropy)
        try db.run("DELETE FROM notice_rate WHERE held = 0 AND until <= ?", [time.milliseconds])
        return count
    }

    /// Sends a notice to an owner's channels, or holds it back if its ``NoticeRate`` is used up.
    ///
    /// - Parameters:
    ///   - owner: the owner's key.
    ///   - isUrgent: nil to use the default of the kind of notice.
    ///   - last: the keys of channels that get the notice in any case, because it is their last.
    /// - Returns: the number of alerts that it queues.
    @discardableResult
    func queue(
        _ notice: OwnerNotice, toOwner owner: Int64, isUrgent: Bool? = nil, last: [Int64] = [], at time: Timestamp,
        using entropy: Entropy
    ) throws -> Int {
        let isUrgent = isUrgent ?? notice.event.isUrgent
        guard try !holdBack(notice, of: owner, isUrgent: isUrgent, at: time) else {
            return try deliver(notice, toOwner: owner, isUrgent: isUrgent, only: last, at: time, using: entropy)
        }
        return try deliver(notice, toOwner: owner, isUrgent: isUrgent, at: time, using: entropy)
    }

    /// Queues a notice for an owner's channels. A notice that is not urgent skips channels that wait for others, unless
    /// there are no others.
    ///
    /// - Parameter last: the keys of the only channels that get it; nil for all.
    /// - Returns: the number of channels that get it.
    private func deliver(
        _ notice: OwnerNotice, toOwner owner: Int64, isUrgent: Bool, only last: [Int64]? = nil, at time: Timestamp,
        using entropy: Entropy
    ) throws -> Int {
        var entropy = entropy
        let sql = "SELECT key, kind, after FROM channel WHERE owner = ? AND removed IS NULL AND verified IS NOT NULL"
        var channels = try db.rows(sql, [owner])
        let immediate = channels.filter { !$0.hasNonNull("after") }
        if let last {
            channels = try channels.filter { last.contains(try $0["key"]) }
        } else if !isUrgent, !immediate.isEmpty {
            channels = immediate
        }
        let due = isUrgent ? time : try calmTime(forOwner: owner, at: time)
        for channel in channels {
            try db.run(
                "INSERT INTO alert (id, notice, channel, kind, urgent, created, due) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    AlertID(at: time, using: &entropy).blob, try JSONEncoder().encode(notice),
                    try channel["key"] as Int64, try channel["kind"] as String, isUrgent, time.milliseconds,
                    due.milliseconds,
                ]
            )
        }
        if !channels.isEmpty { db.news.alerts = true }
        return channels.count
    }

    /// Whether it may be night for an owner; true if the owner's zone is unknown.
    func isNight(forOwner owner: Int64, at time: Timestamp) throws -> Bool {
        let isZoneKnown = try db.exists("SELECT 1 FROM owner WHERE key = ? AND zone IS NOT NULL", [owner])
        return try !isZoneKnown || calmTime(forOwner: owner, at: time) > time
    }

    /// The time when a notice that is not urgent may be sent: now, or at the end of the owner's night or quiet hours.
    private func calmTime(forOwner owner: Int64, at time: Timestamp) throws -> Timestamp {
        let row = try db.row("SELECT zone, quiet_from, quiet_to FROM owner WHERE key = ?", [owner])
        return OwnerNotice.Event.calmTime(at: time, in: LocalZone(try row?["zone"]), quiet: try row?.quietHours())
    }

    /// Counts a notice; returns whether it must wait until the end of the window.
    private func holdBack(_ notice: OwnerNotice, of owner: Int64, isUrgent: Bool, at time: Timestamp) throws -> Bool {
        // Urgent messages from finders are counted apart: others must not hold back the one that may wake the owner.
        let isApart = isUrgent && notice.event == .messageReceived
        let (event, bike) = (notice.event.rawValue + (isApart ? "!" : ""), notice.bike?.id.blob ?? Data())
        let rate = NoticeRate.of(notice.event)
        let sql = "SELECT until, told, held FROM notice_rate WHERE owner = ? AND event = ? AND bike = ?"
        let window = try db.row(sql, [owner, event, bike])
        guard let window, try Self.isOpen(window, at: time) else {
            try db.run(
                """
                INSERT INTO notice_rate (owner, event, bike, until, told) VALUES (?, ?, ?, ?, 1)
                ON CONFLICT (owner, event, bike) DO UPDATE SET
                    until = excluded.until, told = excluded.told, held = 0, notice = NULL, urgent = 0
                """,
                [owner, event, bike, time.advanced(by: rate.window).milliseconds]
            )
            return false
        }
        let sent: Int64 = try window["told"]
        if sent < rate.atOnce {
            try db.run(
                "UPDATE notice_rate SET told = told + 1 WHERE owner = ? AND event = ? AND bike = ?",
                [owner, event, bike])
            return false
        }
        try db.run(
            """
            UPDATE notice_rate SET held = held + 1, notice = ?1, urgent = CASE WHEN urgent > ?2 THEN urgent ELSE ?2 END
            WHERE owner = ?3 AND event = ?4 AND bike = ?5
            """,
            [try JSONEncoder().encode(notice), isUrgent, owner, event, bike]
        )
        return true
    }

    /// Whether a window still counts notices: it is not over, or it has held some back that have not been sent yet.
    private static func isOpen(_ window: StoredRow, at time: Timestamp) throws -> Bool {
        let (held, until): (Int64, Timestamp) = (try window["held"], try window.timestamp("until"))
        return held > 0 || until > time
    }

    /// Sends the notices held back in the windows that match a condition; returns the number of windows. The
    /// condition's text includes the order of the windows.
    private func tellHeld(
        _ condition: String, _ arguments: Parameters, at time: Timestamp, using entropy: Entropy
    ) throws -> Int {
        let windows = try db.rows("SELECT * FROM notice_rate WHERE held > 0 AND \(condition)", arguments)
        for window in windows {
            let (owner, held): (Int64, Int64) = (try window["owner"], try window["held"])
            var notice = try JSONDecoder().decode(OwnerNotice.self, from: try window["notice"] as Data)
            // The last notice is sent itself and is not counted.
            notice.count = held > 1 ? Int(clamping: held - 1) : nil
            _ = try deliver(notice, toOwner: owner, isUrgent: try window["urgent"], at: time, using: entropy)
            // The next window begins full, so that continued activity causes one notice per window.
            try db.run(
                """
                UPDATE notice_rate SET held = 0, notice = NULL, urgent = 0, until = ?
                WHERE owner = ? AND event = ? AND bike = ?
                """,
                [
                    time.advanced(by: NoticeRate.of(notice.event).window).milliseconds, owner,
                    try window["event"] as String,
                    try window["bike"] as Data,
                ]
            )
        }
        return windows.count
    }

    /// Sends an owner the notices that were held back, before one of its channels is removed.
    func tellHeld(ofOwner owner: Int64, at time: Timestamp, using entropy: Entropy) throws {
        _ = try tellHeld("owner = ? ORDER BY event, bike", [owner], at: time, using: entropy)
    }

    /// Notifies an owner on all channels about an act that makes a search weaker, if such an act has a notice.
    ///
    /// - Parameter last: channels that get the notice in any case, because it is their last.
    func tell(
        _ weakening: SearchWeakening?, to owner: Int64, bike: SightingAlert.BikeSummary? = nil, subject: String? = nil,
        member: String? = nil, last: [Int64] = [], by act: OwnerAct
    ) throws {
        guard let event = weakening?.notice else { return }
        let notice = OwnerNotice(event, bike: bike, subject: subject, member: member)
        try Notices(db).queue(notice, toOwner: owner, last: last, at: act.time, using: act.entropy)
    }

    /// Notifies an owner of an operator’s act, on all channels.
    func tell(_ notice: OwnerNotice, toOwner owner: Int64, _ act: OperatorAct) throws {
        try Notices(db).queue(notice, toOwner: owner, at: act.time, using: act.entropy)
    }
}
