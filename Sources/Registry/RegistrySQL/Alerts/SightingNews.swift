import Foundation
import RegistryAPI
import RegistryRules

/// Updates to sightings that owners were already alerted to.
///
/// The level of a sighting can change when it is judged again (`SightingJudgement`), and a new sighting that joins a
/// thread can have another level than the first one (`SightingAlerts`).
struct SightingNews {
    let db: any Transaction

    /// A sighting with a level of confidence that its owner may not know yet.
    struct Subject {
        /// The sighting's key.
        let sighting: Int64
        /// The key of the first sighting of its alerts.
        let thread: Int64
        let level: SightingLevel
        let isLate: Bool
        let time: Timestamp
    }

    /// Queues updates to a sighting whose judgement has changed, if it was already sent and ``AlertRules`` say that its
    /// level now is news; returns the number of alerts. A sighting that its owner dismissed gets none.
    func announce(_ level: SightingLevel, of sighting: Int64, at time: Timestamp) throws -> Int {
        // This is called for every judgement that changes: spare the look-up.
        guard AlertRules.canBeNews(level) else { return 0 }
        let sql = """
            SELECT coalesce(thread, key) AS thread, last_seen, received FROM sighting WHERE key = ? AND dismissed IS NULL
            """
        guard let row = try db.row(sql, [sighting]) else { return 0 }
        let isLate = SightingRules.isLate(
            lastSeen: try row.timestamp("last_seen"), received: try row.timestamp("received"))
        let subject = Subject(
            sighting: sighting, thread: try row["thread"], level: level, isLate: isLate, time: time)
        return try queueUpdates(about: [subject])[0]
    }

    /// Queues updates for several threads of alerts; returns the number of alerts for each.
    func queueUpdates(about subjects: [Subject]) throws -> [Int] {
        var threads: [[StoredRow]] = Array(repeating: [], count: subjects.count)
        var given: Parameters = []
        for (place, subject) in subjects.enumerated() {
            let earliest = subject.time.advanced(by: .zero - AlertRules.updatePeriod)
            given.append(place, subject.thread, earliest.milliseconds)
        }
        try db.eachRow(Self.threadAlerts, given) { threads[try $0["place"]].append($0) }
        return try zip(subjects, threads).map { try updateChannels(about: $0, after: $1) }
    }

    /// Queues an update on each channel that gets it; returns their number.
    ///
    /// - Parameter thread: the alerts of the thread, the first alert first.
    private func updateChannels(about subject: Subject, after thread: [StoredRow]) throws -> Int {
        var count = 0
        for (channel, alerts) in try Dictionary(grouping: thread, by: { try $0["channel"] as Int64 }) {
            // The reasons that an alert gave when it was last sent, as a bit set; null if it never was, or nothing was
            // left to send.
            let told = try alerts.compactMap { try $0["told"] as Int64? }.map(SightingReason.level)
            // An alert that was never claimed will include the update anyway.
            let isUnclaimed = try alerts.contains { try $0.hasNonNull("due") && $0["attempts"] == 0 }
            let isNews = AlertRules.isNews(subject.level, after: told)
            guard let first = alerts.first, !isUnclaimed, isNews else { continue }
            try insertUpdate(about: subject, channel: channel, first)
            // 0 after a conflict.
            count += db.changesCount
        }
        return count
    }

    /// The alerts of threads that are young enough to be updated, with the choices of their channels’ owners.
    static let threadAlerts = SetStatement(
        given: [("place", .integer), ("thread", .integer), ("earliest", .integer)],
        """
        SELECT given.place, alert.id, alert.channel, alert.told, alert.due, alert.attempts, alert.kind, owner.zone,
            owner.quiet_from, owner.quiet_to
        FROM given CROSS JOIN alert JOIN channel ON channel.key = alert.channel JOIN owner ON owner.key = channel.owner
        WHERE alert.thread = given.thread AND alert.created > given.earliest AND channel.removed IS NULL
        ORDER BY alert.key
        """)

    /// Inserts the alert with the update. Its identifier is derived from the first alert's, and is the same for each
    /// update to one level. So a second update to this level is a conflict, and the channel gets each level at most once
    /// while the first alert is young enough to be updated.
    ///
    /// - Parameter first: the first alert of the thread on the channel.
    private func insertUpdate(about subject: Subject, channel: Int64, _ first: StoredRow) throws {
        let level = subject.level
        let isUrgent = level == .corroborated && !subject.isLate
        let firstID: AlertID = try first.id("id")
        let id = AlertID(high: firstID.high, low: firstID.low ^ (level == .corroborated ? 1 : 2))
        let due = try first.quietHours()?.end(at: subject.time, in: LocalZone(try first["zone"])) ?? subject.time
        try db.run(
            """
            INSERT INTO alert (id, sighting, thread, channel, kind, urgent, news, created, due)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                id.blob, subject.sighting, subject.thread, channel, try first["kind"] as String,
                isUrgent, level.rawValue, subject.time.milliseconds, due.milliseconds,
            ]
        )
        db.news.alerts = true
    }
}

extension SightingReason {
    /// The level of confidence for the reasons in a column (``bits(_:)``).
    static func level(bits: Int64) -> SightingLevel { Plausibility.level(for: reasons(bits: bits)) }
}
