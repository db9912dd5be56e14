import RegistryAPI
import RegistryRules

/// The alerts for a set of new sightings, and the data about them to remember. All rows of one table are written
/// together.
struct AlertWrites {
    private var joins: Parameters = []
    private var told: Parameters = []
    private var shares: Parameters = []
    private var alerts: Parameters = []

    /// Reports a sighting together with an earlier one: a waiting alert reports this sighting instead.
    mutating func join(_ candidate: AlertCandidate, thread: Int64) {
        joins.append(candidate.key, thread, candidate.evidence.firstSeen.milliseconds)
    }

    /// - Parameters:
    ///   - isLast: whether no announced sighting was heard after it.
    ///   - quietCheck: when the owner is asked about the report if nothing happens until then.
    mutating func remember(_ candidate: AlertCandidate, isLast: Bool, quietCheck: Timestamp) {
        told.append(candidate.part.bike.report, candidate.key, isLast, quietCheck.milliseconds)
    }

    /// Counts an alert in the share of its station.
    mutating func count(_ candidate: AlertCandidate, _ history: AlertRules.History) {
        let time = candidate.reported.time
        let isLate = SightingRules.isLate(lastSeen: candidate.evidence.lastSeen, received: time)
        var share = AlertRules.StationShare(since: time, count: 0)
        if let open = isLate ? history.late : history.station, open.isOpen(at: time) { share = open }
        shares.append(
            candidate.part.bike.report, candidate.reported.station.key, isLate, share.since.milliseconds,
            share.count + 1)
    }

    /// - Parameter digest: the alert that announces the sighting together with others.
    mutating func alert(
        _ candidate: AlertCandidate, _ channel: AlertChannel, due: Timestamp? = nil, isUrgent: Bool = false,
        digest: Int64? = nil
    ) {
        alerts.append(
            candidate.newID(), candidate.key, candidate.key, channel.key, channel.kind, isUrgent,
            digest, candidate.reported.time.milliseconds, due?.milliseconds
        )
    }

    func write(_ db: any Transaction) throws {
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
