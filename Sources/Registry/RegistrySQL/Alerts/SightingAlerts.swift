import Foundation
import RegistryAPI
import RegistryRules

/// A sighting that was just stored, to which owners may be alerted.
struct AlertCandidate {
    /// The sighting's key.
    let key: Int64
    let reported: ReportedVisit
    let part: VisitPart
    let evidence: SightingEvidence
    let reasons: Set<SightingReason>

    fileprivate var isLate: Bool { SightingRules.isLate(lastSeen: evidence.lastSeen, received: reported.time) }

    /// An identifier for an alert about it, as the column holds it.
    fileprivate func newID() -> Data {
        var entropy = reported.entropy
        return AlertID(at: reported.time, using: &entropy).blob
    }
}

/// Queues the alerts for new sightings according to ``AlertRules``, inside the transaction that stores them. It reads
/// what was announced before, decides about one sighting after the other, and then writes all rows of one table together.
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
    /// - Returns: for each, the number of additional alerts that wait now.
    mutating func queue(_ candidates: [AlertCandidate]) throws -> [Int] {
        guard !candidates.isEmpty else { return [] }
        let histories = try AlertRules.History.all(
            db, before: candidates.filter { $0.part.beginsThread && !$0.part.channels.isEmpty })
        var counts: [Int] = []
        var joined: [(place: Int, subject: SightingNews.Subject)] = []
        for candidate in candidates {
            let history = histories[candidate.part.bike.report] ?? AlertRules.History()
            guard let thread = try announce(candidate, history) else {
                counts.append(candidate.part.channels.count)
                continue
            }
            // A waiting alert about an earlier sighting reports this one instead.
            joins.append(candidate.key, thread, candidate.evidence.firstSeen.milliseconds)
            let subject = SightingNews.Subject(
                sighting: candidate.key, thread: thread, level: Plausibility.level(for: candidate.reasons),
                isLate: candidate.isLate, at: candidate.reported.time)
            if let subject { joined.append((counts.count, subject)) }
            counts.append(0)
        }
        try write()
        let news = try SightingNews(db).queueUpdates(about: joined.map(\.subject))
        for (count, (place, _)) in zip(news, joined) { counts[place] += count }
        return counts
    }
}

// The decisions, and the rows that follow from them.
extension SightingAlerts {
    /// Queues the alerts for a sighting, unless it joins an earlier one.
    ///
    /// - Returns: the thread of the earlier alert; nil if the sighting joins none.
    private mutating func announce(_ candidate: AlertCandidate, _ history: AlertRules.History) throws -> Int64? {
        // A very long stay is split into visits; its owner already knows about it from the first.
        if let thread = candidate.part.surroundings.thread { return thread }
        guard !candidate.part.channels.isEmpty else { return nil }
        let (evidence, time) = (candidate.evidence, candidate.reported.time)
        let decision = AlertRules.decision(
            at: evidence.place, firstSeen: evidence.firstSeen, lastSeen: evidence.lastSeen, received: time,
            isDoubtful: AlertRules.isDoubtful(candidate.reasons), after: history
        )
        // The owner is asked about the report if nothing happens until the quiet check.
        reports.append(
            candidate.part.bike.report, candidate.key, history.isHeardLast(evidence.firstSeen),
            time.advanced(by: ReminderRules.quietReport).milliseconds)
        if case .joins(let thread) = decision { return thread }
        if case .alert = decision { count(candidate, history) }
        for channel in candidate.part.channels { try queueAlert(candidate, decision, on: channel) }
        return nil
    }

    /// Counts an alert in the share of its station.
    private mutating func count(_ candidate: AlertCandidate, _ history: AlertRules.History) {
        let time = candidate.reported.time
        var share = AlertRules.StationShare(since: time, count: 0)
        if let open = candidate.isLate ? history.late : history.station, open.isOpen(at: time) { share = open }
        shares.append(
            candidate.part.bike.report, candidate.reported.station.key, candidate.isLate, share.since.milliseconds,
            share.count + 1)
    }

    /// Queues an alert about a sighting for a channel, alone or in a digest, unless the channel gets none.
    private mutating func queueAlert(
        _ candidate: AlertCandidate, _ decision: AlertRules.Decision, on channel: AlertChannel
    ) throws {
        let quietHours = channel.quietHours
        let zone = quietHours == nil ? LocalZone() : LocalZone(channel.zone)
        let delivery = AlertRules.delivery(of: decision, at: candidate.reported.time, wait: channel.after) {
            quietHours?.end(at: $0, in: zone)
        }
        var due: Timestamp?
        var digest: Int64?
        switch delivery {
        case nil: return
        case .alone(let time): due = time
        case .digest(let time): digest = try waitingDigest(of: candidate, channel, until: time)
        }
        alerts.append(
            candidate.newID(), candidate.key, candidate.key, channel.key, channel.kind,
            digest == nil && decision == .alert(isUrgent: true), digest, candidate.reported.time.milliseconds,
            due?.milliseconds)
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

    /// Writes the collected rows.
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
