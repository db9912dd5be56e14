import Foundation
import Registry
import RegistryAPI

/// A sighting that was just stored.
struct NewSighting {
    let key: Int64
    /// The station's key.
    let station: Int64
    let evidence: SightingEvidence
    var reasons: Set<SightingReason>
}

/// A verified channel of a bike's owner or of a member, with the choices of whoever has it.
struct AlertChannel {
    let key: Int64
    let kind: String
    /// The minutes that a sighting waits for an acknowledgement before it is sent here.
    let after: Int?
    let zone: String?
    let quietHours: QuietHours?

    /// Reads the channels for alerts about bikes, by the bike's key.
    static func all(_ db: any Transaction, of bikes: Set<Int64>) throws -> [Int64: [AlertChannel]] {
        var channels: [Int64: [AlertChannel]] = [:]
        try db.eachColumns(query, Parameters(bikes.map { $0 })) { columns in
            let bike = columns.integer()
            let channel = AlertChannel(
                key: columns.integer(), kind: columns.text(), after: columns.optionalInteger().map(Int.init),
                zone: columns.optionalText(),
                quietHours: QuietHours(from: columns.optionalInteger(), to: columns.optionalInteger()))
            channels[bike, default: []].append(channel)
        }
        return channels
    }

    static let query = SetStatement(
        given: "bike",
        """
        SELECT given.bike, \(columns)
        FROM given CROSS JOIN bike CROSS JOIN owner CROSS JOIN channel
        WHERE bike.key = given.bike AND owner.key = bike.owner AND channel.owner = owner.key
            AND removed IS NULL AND verified IS NOT NULL
        UNION ALL
        SELECT given.bike, \(columns)
        FROM given CROSS JOIN bike_member CROSS JOIN owner CROSS JOIN channel
        WHERE bike_member.bike = given.bike AND owner.key = bike_member.owner AND channel.owner = owner.key
            AND removed IS NULL AND verified IS NOT NULL
        """)

    private static let columns = "channel.key, channel.kind, after, zone, quiet_from, quiet_to"
}

/// Queues the alerts for a new sighting according to ``AlertRules``, inside the transaction that stores it.
struct SightingAlerts {
    let db: any Transaction
    let time: Timestamp
    let entropy: Entropy

    /// - Parameters:
    ///   - stay: the first sighting that the station reported of the same stay; nil if there is none.
    ///   - channels: the channels of the owner and the members.
    /// - Returns: the number of additional alerts that wait now.
    func queue(
        _ sighting: NewSighting, stay: Int64?, of bike: MissingBike, for channels: [AlertChannel]
    ) throws -> Int {
        // A very long stay is split into visits; its owner already knows about it from the first.
        if let stay { return try join(sighting, thread: stay) }
        guard !channels.isEmpty else { return 0 }
        let history = try AlertRules.History(db, before: sighting, of: bike)
        let evidence = sighting.evidence
        let decision = AlertRules.decision(
            at: evidence.place, firstSeen: evidence.firstSeen, lastSeen: evidence.lastSeen, received: time,
            isDoubtful: AlertRules.isDoubtful(sighting.reasons), after: history
        )
        try remember(sighting, report: bike.report, isLast: history.isHeardLast(evidence.firstSeen))
        if case .joins(let thread) = decision { return try join(sighting, thread: thread) }
        if case .alert = decision { try count(sighting, report: bike.report, history) }
        return try queue(sighting, decision, bike, for: channels)
    }

    /// Reports a sighting together with an earlier one: a waiting alert reports this sighting instead, and a sent alert
    /// gets an update.
    private func join(_ sighting: NewSighting, thread: Int64) throws -> Int {
        try db.run("UPDATE sighting SET thread = ? WHERE key = ?", [thread, sighting.key])
        try db.run(
            """
            UPDATE alert SET sighting = ?1 WHERE thread = ?2 AND due IS NOT NULL AND news = ''
                AND (SELECT first_seen FROM sighting WHERE key = alert.sighting) <= ?3
            """,
            [sighting.key, thread, sighting.evidence.firstSeen.milliseconds]
        )
        return try SightingNews(db).queue(of: sighting.key, bits: SightingReason.bits(sighting.reasons), at: time)
    }

    private func remember(_ sighting: NewSighting, report: Int64, isLast: Bool) throws {
        let check = time.advanced(by: ReminderRules.quietReport)
        try db.run(
            "UPDATE report SET told_last = iif(?, ?, told_last), quiet_check = ? WHERE key = ?",
            [isLast, sighting.key, check.milliseconds, report]
        )
    }

    private func count(_ sighting: NewSighting, report: Int64, _ history: AlertRules.History) throws {
        let isLate = SightingRules.isLate(lastSeen: sighting.evidence.lastSeen, received: time)
        if let share = isLate ? history.late : history.station, share.isOpen(at: time) {
            try db.run(
                "UPDATE alert_share SET alerts = alerts + 1 WHERE report = ? AND station = ? AND late = ?",
                [report, sighting.station, isLate]
            )
        } else {
            try db.run(
                "INSERT OR REPLACE INTO alert_share (report, station, late, since, alerts) VALUES (?, ?, ?, ?, 1)",
                [report, sighting.station, isLate, time.milliseconds]
            )
        }
    }

    private func queue(
        _ sighting: NewSighting, _ decision: AlertRules.Decision, _ bike: MissingBike, for channels: [AlertChannel]
    ) throws -> Int {
        for channel in channels {
            let quietHours = channel.quietHours
            let zone = quietHours == nil ? LocalZone() : LocalZone(channel.zone)
            let delivery = AlertRules.delivery(of: decision, at: time, wait: channel.after) {
                quietHours?.end(at: $0, in: zone)
            }
            switch delivery {
            case nil: break
            case .alone(let due): try insert(sighting.key, channel, due: due, isUrgent: decision.isUrgent)
            case .digest(let due): try hold(sighting.key, channel, until: due, report: bike.report)
            }
        }
        return channels.count
    }

    private func insert(
        _ sighting: Int64, _ channel: AlertChannel, due: Timestamp?, isUrgent: Bool = false, digest: Int64? = nil
    ) throws {
        try db.run(
            """
            INSERT INTO alert (id, sighting, thread, channel, kind, urgent, digest, created, due)
            VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                newID(), sighting, channel.key, channel.kind, isUrgent, digest,
                time.milliseconds, due?.milliseconds,
            ]
        )
    }

    /// Adds a sighting to the digest of the report that waits to be sent over a channel.
    private func hold(_ sighting: Int64, _ channel: AlertChannel, until due: Timestamp, report: Int64) throws {
        let waiting = try db.integer(
            "SELECT key FROM alert WHERE report = ? AND channel = ? AND due IS NOT NULL AND attempts = 0",
            [report, channel.key]
        )
        if let waiting {
            try db.run("UPDATE alert SET due = min(due, ?) WHERE key = ?", [due.milliseconds, waiting])
            return try insert(sighting, channel, due: nil, digest: waiting)
        }
        try db.run(
            "INSERT INTO alert (id, report, channel, kind, urgent, created, due) VALUES (?, ?, ?, ?, 0, ?, ?)",
            [
                newID(), report, channel.key, channel.kind, time.milliseconds,
                due.milliseconds,
            ]
        )
        try insert(sighting, channel, due: nil, digest: db.lastInsertedRowID)
    }

    private func newID() -> Data {
        var entropy = entropy
        return AlertID(at: time, using: &entropy).blob
    }
}

extension AlertRules.Decision {
    fileprivate var isUrgent: Bool { self == .alert(isUrgent: true) }
}

extension AlertRules.History {
    /// The alerts of a bike's report before a sighting that was just stored.
    fileprivate init(_ db: any Transaction, before sighting: NewSighting, of bike: MissingBike) throws {
        self.init()
        guard let last = bike.toldLast else { return }
        let shares = try db.rows(
            "SELECT late, since, alerts FROM alert_share WHERE report = ? AND station = ?",
            [bike.report, sighting.station]
        )
        for row in shares {
            let share = AlertRules.StationShare(since: try row.timestamp("since"), count: try row["alerts"])
            if try row["late"] { late = share } else { station = share }
        }
        self.last = try db.row(AlertRules.Told.query + "WHERE latest.key = ?", [last]).map(AlertRules.Told.init)
        let evidence = sighting.evidence
        guard !isHeardLast(evidence.firstSeen) else { return }
        let neighbours: [(condition: String, time: Timestamp)] = [
            ("<= ? ORDER BY latest.last_seen DESC", evidence.lastSeen),
            ("> ? ORDER BY latest.last_seen", evidence.lastSeen),
        ]
        for (condition, time) in neighbours {
            let sql =
                AlertRules.Told.query + """
                    WHERE latest.report = ? AND latest.station = ? AND latest.key <> ?
                        AND EXISTS (SELECT 1 FROM alert WHERE alert.thread = coalesce(latest.thread, latest.key))
                        AND latest.last_seen \(condition) LIMIT 1
                    """
            let row = try db.row(sql, [bike.report, sighting.station, sighting.key, time.milliseconds])
            if let row { around.append(try AlertRules.Told(row)) }
        }
    }
}

extension AlertRules.Told {
    fileprivate static let query = """
        SELECT \(Sighting.columns), latest.first_seen AS latest_first, latest.last_seen AS latest_last
        FROM sighting AS latest JOIN sighting ON sighting.key = coalesce(latest.thread, latest.key) \(Sighting.joins)

        """

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
