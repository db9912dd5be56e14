import Foundation
import Registry
import RegistryAPI

/// Updates to sightings that owners were already alerted to.
package struct SightingNews {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Queues an update to a sighting that was already sent, if ``AlertRules`` find it worth sending; returns the
    /// number of alerts.
    ///
    /// - Parameter bits: the sighting's current reasons.
    func queue(of sighting: Int64, bits: Int64, at time: Timestamp) throws -> Int {
        let level = Plausibility.level(for: SightingReason.reasons(bits: bits))
        guard level != .possible, let thread = try openThread(of: sighting) else { return 0 }
        let earliest = time.advanced(by: .zero - AlertRules.updates)
        let alerts = try db.rows(Self.threadAlerts, [thread.key, earliest.milliseconds])
        var count = 0
        for (channel, alerts) in try Dictionary(grouping: alerts, by: { try $0["channel"] as Int64 }) {
            let told = try alerts.compactMap { try $0["told"] as Int64? }.map(SightingReason.level)
            // An alert that was never claimed will include the update anyway.
            let willSay = try alerts.contains { try $0.hasNonNull("due") && $0["attempts"] == 0 }
            guard let first = alerts.first, !willSay, AlertRules.isNews(level, after: told) else { continue }
            try insertNews(of: sighting, level, thread, channel: channel, first, at: time)
            count += db.changesCount
        }
        return count
    }

    /// The alerts of a thread, the first alert first.
    private static let threadAlerts = """
        SELECT alert.id, alert.channel, alert.told, alert.due, alert.attempts, alert.kind, owner.zone, owner.quiet_from, owner.quiet_to
        FROM alert JOIN channel ON channel.key = alert.channel JOIN owner ON owner.key = channel.owner
        WHERE alert.thread = ? AND alert.created > ? AND channel.removed IS NULL ORDER BY alert.key
        """

    private typealias Thread = (key: Int64, isLate: Bool)

    /// The alert thread of a sighting; nil if its owner dismissed the sighting.
    private func openThread(of sighting: Int64) throws -> Thread? {
        let sql = """
            SELECT coalesce(thread, key) AS thread, last_seen, received FROM sighting WHERE key = ? AND dismissed IS NULL
            """
        return try db.row(sql, [sighting]).map { row in
            let isLate = SightingRules.isLate(
                lastSeen: try row.timestamp("last_seen"), received: try row.timestamp("received"))
            return (try row["thread"], isLate)
        }
    }

    /// Inserts the alert with the update. Its identifier is derived from the first alert's, one for each level.
    private func insertNews(
        of sighting: Int64, _ level: SightingLevel, _ thread: Thread, channel: Int64, _ first: StoredRow,
        at time: Timestamp
    ) throws {
        let firstID: AlertID = try first.id("id")
        let id = AlertID(high: firstID.high, low: firstID.low ^ (level == .corroborated ? 1 : 2))
        let due = try first.quietHours()?.end(at: time, in: LocalZone(try first["zone"])) ?? time
        try db.run(
            """
            INSERT OR IGNORE INTO alert (id, sighting, thread, channel, kind, urgent, news, created, due)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                id.blob, sighting, thread.key, channel, try first["kind"] as String,
                level == .corroborated && !thread.isLate, level.rawValue,
                time.milliseconds, due.milliseconds,
            ]
        )
    }
}

extension SightingReason {
    /// The level of confidence for the bits of a column.
    static func level(bits: Int64) -> SightingLevel { Plausibility.level(for: reasons(bits: bits)) }
}
