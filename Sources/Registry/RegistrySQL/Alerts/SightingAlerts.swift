import Foundation
import RegistryAPI
import RegistryRules

/// A sighting that was just stored, to which owners may be alerted.
struct AlertCandidate {
    let key: Int64
    let reported: ReportedVisit
    let part: VisitPart
    let evidence: SightingEvidence
    let reasons: Set<SightingReason>

    fileprivate var isLate: Bool { SightingRules.isLate(lastSeen: evidence.lastSeen, received: reported.time) }

    fileprivate func newID() -> Data {
        var entropy = reported.entropy
        return AlertID(at: reported.time, using: &entropy).blob
    }
}

/// Queues the alerts for new sightings according to ``AlertRules``, inside the transaction that stores them. It reads
/// what was announced before, decides about one sighting after the other, and then writes all rows of one table together.
struct SightingAlerts {
    private let db: any Transaction
    private var joins: Parameters = []
    private var told: Parameters = []
    private var shares: Parameters = []
    private var alerts: Parameters = []

    init(_ db: any Transaction) { self.db = db }

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
            guard let thread = try thread(of: candidate, history) else {
                counts.append(candidate.part.channels.count)
                continue
            }
            // A waiting alert about an earlier sighting reports this one instead.
            joins.append(candidate.key, thread, candidate.evidence.firstSeen.milliseconds)
            let subject = SightingNews.Subject(
                sighting: candidate.key, thread: thread, bits: SightingReason.bits(candidate.reasons),
                isLate: candidate.isLate, at: candidate.reported.time)
            if let subject { joined.append((counts.count, subject)) }
            counts.append(0)
        }
        try write()
        let news = try SightingNews(db).queue(joined.map(\.subject))
        for (count, (place, _)) in zip(news, joined) { counts[place] += count }
        return counts
    }
}

// What was announced before.
extension AlertRules.History {
    /// The earlier alerts of the candidates' reports, by the keys of the reports. The candidates' sightings have been
    /// stored already.
    static func all(_ db: any Transaction, before candidates: [AlertCandidate]) throws -> [Int64: Self] {
        var histories: [Int64: Self] = [:]
        var (given, latest): (Parameters, Parameters) = ([], [])
        for candidate in candidates {
            guard let last = candidate.part.bike.toldLast else { continue }
            given.append(candidate.part.bike.report, candidate.reported.station.key)
            latest.append(candidate.part.bike.report, last)
        }
        try db.eachColumns(shares, given) { columns in
            let report = columns.integer()
            let isLate = columns.bool()
            let share = AlertRules.StationShare(since: columns.timestamp(), count: Int(columns.integer()))
            if isLate {
                histories[report, default: Self()].late = share
            } else {
                histories[report, default: Self()].station = share
            }
        }
        try db.eachRow(AlertRules.Told.latest, latest) { row in
            histories[try row["report_told"], default: Self()].last = try AlertRules.Told(row)
        }
        for candidate in candidates {
            let (report, evidence) = (candidate.part.bike.report, candidate.evidence)
            guard let history = histories[report], !history.isHeardLast(evidence.firstSeen) else { continue }
            histories[report]?.around = try AlertRules.Told.around(candidate, db)
        }
        return histories
    }

    static let shares = SetStatement(
        given: [("report", .integer), ("station", .integer)],
        """
        SELECT given.report, late, since, alerts FROM given CROSS JOIN alert_share
        WHERE alert_share.report = given.report AND alert_share.station = given.station
        """)
}

extension AlertRules.Told {
    private static let columns =
        "\(Sighting.columns), latest.first_seen AS latest_first, latest.last_seen AS latest_last"
    private static let joins = "JOIN sighting ON sighting.key = coalesce(latest.thread, latest.key) \(Sighting.joins)"

    static let latest = SetStatement(
        given: [("report", .integer), ("latest", .integer)],
        """
        SELECT \(columns), given.report AS report_told FROM given CROSS JOIN sighting AS latest \(joins)
        WHERE latest.key = given.latest
        """)

    /// The station's announced sightings next to a new one that was heard before the last announced one.
    fileprivate static func around(_ candidate: AlertCandidate, _ db: any Transaction) throws -> [Self] {
        try ["<= ? ORDER BY latest.last_seen DESC", "> ? ORDER BY latest.last_seen"].compactMap { condition in
            let sql = """
                SELECT \(columns) FROM sighting AS latest \(joins)
                WHERE latest.report = ? AND latest.station = ? AND latest.key <> ?
                    AND EXISTS (SELECT 1 FROM alert WHERE alert.thread = coalesce(latest.thread, latest.key))
                    AND latest.last_seen \(condition) LIMIT 1
                """
            let row = try db.row(
                sql,
                [
                    candidate.part.bike.report, candidate.reported.station.key, candidate.key,
                    candidate.evidence.lastSeen.milliseconds,
                ])
            return try row.map(Self.init)
        }
    }

    /// A dismissed sighting also counts as doubtful. Otherwise a true sighting after it could join it and cause no
    /// alert.
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            thread: try row["key"], place: try row.sightingPlace(said: try row.place()),
            firstSeen: try row.timestamp("latest_first"), lastSeen: try row.timestamp("latest_last"),
            isDoubtful: try row.hasNonNull("dismissed")
                || AlertRules.isDoubtful(SightingReason.reasons(bits: row["reasons"]))
        )
    }
}

// The decisions, and the rows that follow from them.
extension SightingAlerts {
    /// Queues the alerts for a sighting, unless it joins an earlier one.
    ///
    /// - Returns: the thread of the earlier alert.
    private mutating func thread(of candidate: AlertCandidate, _ history: AlertRules.History) throws -> Int64? {
        // A very long stay is split into visits; its owner already knows about it from the first.
        if let thread = candidate.part.surroundings.thread { return thread }
        guard !candidate.part.channels.isEmpty else { return nil }
        let (evidence, time) = (candidate.evidence, candidate.reported.time)
        let decision = AlertRules.decision(
            at: evidence.place, firstSeen: evidence.firstSeen, lastSeen: evidence.lastSeen, received: time,
            isDoubtful: AlertRules.isDoubtful(candidate.reasons), after: history
        )
        // The owner is asked about the report if nothing happens until the quiet check.
        told.append(
            candidate.part.bike.report, candidate.key, history.isHeardLast(evidence.firstSeen),
            time.advanced(by: ReminderRules.quietReport).milliseconds)
        if case .joins(let thread) = decision { return thread }
        if case .alert = decision { count(candidate, history) }
        for channel in candidate.part.channels { try queue(candidate, decision, on: channel) }
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

    private mutating func queue(
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
        case .digest(let time): digest = try self.digest(of: candidate, channel, until: time)
        }
        alerts.append(
            candidate.newID(), candidate.key, candidate.key, channel.key, channel.kind,
            digest == nil && decision == .alert(isUrgent: true), digest, candidate.reported.time.milliseconds,
            due?.milliseconds)
    }

    /// The digest of the report that waits to be sent over a channel.
    private func digest(
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

    private func write() throws {
        try db.run(Self.joining, joins)
        try db.run(Self.redirecting, joins)
        try db.run(Self.remembering, told)
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
