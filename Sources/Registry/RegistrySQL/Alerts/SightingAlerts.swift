import Foundation
import RegistryAPI
import RegistryRules

/// A sighting that was just stored, to which owners may be alerted.
struct AlertCandidate {
    /// The index of its visit in the set.
    let index: Int
    /// The sighting's key.
    let key: Int64
    let reported: ReportedVisit
    let part: VisitPart
    let evidence: SightingEvidence
    let reasons: Set<SightingReason>

    var isLate: Bool { SightingRules.isLate(lastSeen: evidence.lastSeen, received: reported.time) }

    /// An identifier for an alert about it, as the column holds it.
    fileprivate func newID() -> Data {
        var entropy = reported.entropy
        return AlertID(at: reported.time, using: &entropy).blob
    }
}

/// Queues the alerts for new sightings, inside the transaction that stores them. It reads the channels
/// (``AlertChannel``) and what was announced before (``AlertRules/History``), decides about one sighting after the other
/// (``SightingAnnouncement``), and then writes all rows of one table together.
struct SightingAlerts {
    private let db: any Transaction
    /// The rows to write: of sightings that join an earlier alert, of reports, of stations' shares, and of new alerts.
    private var joins: Parameters = []
    private var reports: Parameters = []
    private var shares: Parameters = []
    private var alerts: Parameters = []

    init(_ db: any Transaction) { self.db = db }

    /// Queues the alerts for sightings that were just stored.
    ///
    /// - Parameter candidates: at most one for each report, so that none affects another.
    /// - Returns: for each, the number of alerts that are queued about it: those of its own, its entries in digests,
    ///   and updates of an alert that it joins.
    mutating func queue(_ candidates: [AlertCandidate]) throws -> [Int] {
        guard !candidates.isEmpty else { return [] }
        // Those that do not begin a thread join that of an earlier sighting, whatever channels and history there are.
        let beginning = candidates.filter { $0.part.surroundings.thread == nil }
        let channels = try AlertChannel.all(db, ofBikes: Set(beginning.map(\.part.bike.key)))
        let told = beginning.filter { channels[$0.part.bike.key] != nil }
        let histories = try AlertRules.History.all(db, before: told)
        var counts: [Int] = []
        var joined: [(index: Int, subject: SightingNews.Subject)] = []
        for candidate in candidates {
            let bike = candidate.part.bike
            let announcement = SightingAnnouncement(
                of: candidate, on: channels[bike.key] ?? [], after: histories[bike.report] ?? AlertRules.History())
            try addRows(of: candidate, announcement)
            guard let thread = announcement.thread else {
                counts.append(announcement.deliveries.count)
                continue
            }
            let level = Plausibility.level(for: candidate.reasons)
            if AlertRules.canBeNews(level) {
                let subject = SightingNews.Subject(
                    sighting: candidate.key, thread: thread, level: level, isLate: candidate.isLate,
                    time: candidate.reported.time)
                joined.append((counts.count, subject))
            }
            counts.append(0)
        }
        try write()
        let news = try SightingNews(db: db).queueUpdates(about: joined.map(\.subject))
        for (count, (index, _)) in zip(news, joined) { counts[index] += count }
        return counts
    }

    /// Adds the rows that follow from the announcement of a sighting.
    private mutating func addRows(of candidate: AlertCandidate, _ announcement: SightingAnnouncement) throws {
        let (report, time) = (candidate.part.bike.report, candidate.reported.time)
        if let isHeardLast = announcement.isHeardLast {
            // The owner is asked about the report if nothing happens until the quiet check.
            let quietCheck = time.advanced(by: ReminderRules.quietReport)
            reports.append(report, candidate.key, isHeardLast, quietCheck.milliseconds)
        }
        if let share = announcement.share {
            shares.append(
                report, candidate.reported.station.key, candidate.isLate, share.since.milliseconds, share.count)
        }
        if let thread = announcement.thread {
            // A waiting alert about an earlier sighting reports this one instead.
            joins.append(candidate.key, thread, candidate.evidence.firstSeen.milliseconds)
        }
        for (channel, delivery) in announcement.deliveries {
            var (due, digest): (Timestamp?, Int64?) = (nil, nil)
            switch delivery {
            case .alone(let time): due = time
            case .digest(let time): digest = try waitingDigest(of: candidate, channel, until: time)
            }
            alerts.append(
                candidate.newID(), candidate.key, candidate.key, channel.key, channel.kind,
                digest == nil && announcement.isUrgent, digest, time.milliseconds, due?.milliseconds)
        }
    }

    /// The key of the report's digest that waits to be sent over a channel, at the latest at the given time. Makes one
    /// if none waits.
    private func waitingDigest(
        of candidate: AlertCandidate, _ channel: AlertChannel, until due: Timestamp
    ) throws -> Int64 {
        let report = candidate.part.bike.report
        db.news.alerts = true
        let waiting = try db.integer(
            "SELECT key FROM alert WHERE report = ? AND channel = ? AND due IS NOT NULL AND attempts = 0",
            [report, channel.key])
        if let waiting {
            try db.run(
                "UPDATE alert SET due = CASE WHEN due < ?1 THEN due ELSE ?1 END WHERE key = ?2",
                [due.milliseconds, waiting])
            return waiting
        }
        return try db.insert(
            "INSERT INTO alert (id, report, channel, kind, urgent, created, due) VALUES (?, ?, ?, ?, 0, ?, ?)",
            [
                candidate.newID(), report, channel.key, channel.kind, candidate.reported.time.milliseconds,
                due.milliseconds,
            ])
    }

    /// Writes the collected rows. For new alerts, this sets the news that wakes the dispatcher after the commit; triggers
    /// set the next due time of their channels (``Schema/alertTriggers``), where the dispatcher looks.
    private func write() throws {
        try db.run(Self.joining, joins)
        try db.run(Self.redirecting, joins)
        try db.run(Self.remembering, reports)
        try db.run(Self.counting, shares)
        _ = try db.insert(Self.insertion, alerts)
        if !alerts.values.isEmpty { db.news.alerts = true }
    }

    private static let joined: SetStatement.Columns = [
        ("sighting", .integer), ("thread", .integer), ("first_seen", .integer),
    ]

    static let joining = SetStatement(
        given: joined, "UPDATE sighting SET thread = given.thread FROM given WHERE sighting.key = given.sighting")

    static let redirecting = SetStatement(
        given: joined,
        """
        UPDATE alert SET sighting = given.sighting FROM given
        WHERE alert.thread = given.thread AND alert.due IS NOT NULL AND alert.news = ''
            AND (SELECT first_seen FROM sighting WHERE sighting.key = alert.sighting) <= given.first_seen
        """)

    static let remembering = SetStatement(
        given: [("report", .integer), ("sighting", .integer), ("is_last", .integer), ("quiet_check", .integer)],
        """
        UPDATE report SET
            told_last = CASE WHEN given.is_last = 1 THEN given.sighting ELSE report.told_last END,
            quiet_check = given.quiet_check
        FROM given WHERE report.key = given.report
        """)

    private static let counting = SetStatement(
        given: [
            ("report", .integer), ("station", .integer), ("late", .integer), ("since", .integer), ("alerts", .integer),
        ],
        """
        INSERT INTO alert_share (report, station, late, since, alerts)
        SELECT report, station, late, since, alerts FROM given WHERE TRUE
        ON CONFLICT (report, station, late) DO UPDATE SET since = excluded.since, alerts = excluded.alerts
        """)

    private static let insertion = SetStatement(
        inserting: [
            ("id", .blob), ("sighting", .integer), ("thread", .integer), ("channel", .integer), ("kind", .text),
            ("urgent", .integer), ("digest", .integer), ("created", .integer), ("due", .integer),
        ],
        into: "alert")
}
