import Foundation
import GRDB
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

/// Queues what an owner is told of a new sighting, inside the transaction that stores it: what ``AlertRules`` say.
struct SightingAlerts {
    let db: Database
    let time: Timestamp
    let entropy: Entropy

    /// - Parameters:
    ///   - stay: the first sighting of what the station told of the same stay before; nil where it told nothing.
    /// - Returns: how many alerts wait now that did not before.
    func queue(_ sighting: NewSighting, stay: Int64?, of bike: MissingBike) throws -> Int {
        // A very long stay is cut into visits; its owner knows of it from the first.
        if let stay { return try join(sighting, thread: stay) }
        guard bike.hasChannels else { return 0 }
        let channels = try db.rows(
            "SELECT key, kind, after FROM channel WHERE owner = ? AND removed IS NULL AND verified IS NOT NULL",
            [bike.owner]
        )
        let history = try History(db, station: sighting.station, of: bike)
        let evidence = sighting.evidence
        let decision = AlertRules.decision(
            at: evidence.place, firstSeen: evidence.firstSeen, lastSeen: evidence.lastSeen, received: time,
            isDoubtful: AlertRules.isDoubtful(sighting.reasons), after: history.rules
        )
        try remember(sighting, report: bike.report)
        if decision == .joinsLast, let thread = history.thread { return try join(sighting, thread: thread) }
        if case .alert = decision { try count(sighting, report: bike.report, history.rules.station) }
        return try queue(sighting, decision, bike, for: channels)
    }

    /// Tells a sighting as one with another: what still waits tells this one instead, what was told hears of its news.
    private func join(_ sighting: NewSighting, thread: Int64) throws -> Int {
        try db.run("UPDATE sighting SET thread = ? WHERE key = ?", [thread, sighting.key])
        try db.run(
            "UPDATE alert SET sighting = ? WHERE thread = ? AND due IS NOT NULL AND news = ''", [sighting.key, thread]
        )
        return try db.queueNews(of: sighting.key, bits: SightingReason.bits(sighting.reasons), at: time)
    }

    private func remember(_ sighting: NewSighting, report: Int64) throws {
        let check = time.advanced(by: ReminderRules.quietReport)
        try db.run(
            "UPDATE report SET told_last = ?, quiet_check = ? WHERE key = ?",
            [sighting.key, check.milliseconds, report]
        )
    }

    private func count(_ sighting: NewSighting, report: Int64, _ share: AlertRules.StationShare?) throws {
        if let share, share.isOpen(at: time) {
            try db.run(
                "UPDATE station_share SET alerts = alerts + 1 WHERE report = ? AND station = ?",
                [report, sighting.station]
            )
        } else {
            try db.run(
                "INSERT OR REPLACE INTO station_share (report, station, since, alerts) VALUES (?, ?, ?, 1)",
                [report, sighting.station, time.milliseconds]
            )
        }
    }

    private func queue(
        _ sighting: NewSighting, _ decision: AlertRules.Decision, _ bike: MissingBike, for channels: [Row]
    ) throws -> Int {
        let quietHours = bike.quietHours
        let zone = quietHours == nil ? LocalZone() : LocalZone(bike.zone)
        for channel in channels {
            let delivery = AlertRules.delivery(of: decision, at: time, wait: channel["after"]) {
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
        _ sighting: Int64, _ channel: Row, due: Timestamp?, isUrgent: Bool = false, digest: Int64? = nil
    ) throws {
        try db.run(
            """
            INSERT INTO alert (id, sighting, thread, channel, kind, urgent, digest, created, due)
            VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
                newID(), sighting, channel["key"] as Int64, channel["kind"] as String, isUrgent, digest,
                time.milliseconds, due?.milliseconds,
            ]
        )
    }

    /// Puts a sighting to the others of the report that wait to be told at once over a channel.
    private func hold(_ sighting: Int64, _ channel: Row, until due: Timestamp, report: Int64) throws {
        let waiting = try db.integer(
            "SELECT key FROM alert WHERE report = ? AND channel = ? AND due IS NOT NULL AND attempts = 0",
            [report, channel["key"] as Int64]
        )
        if let waiting {
            try db.run("UPDATE alert SET due = min(due, ?) WHERE key = ?", [due.milliseconds, waiting])
            return try insert(sighting, channel, due: nil, digest: waiting)
        }
        try db.run(
            "INSERT INTO alert (id, report, channel, kind, urgent, created, due) VALUES (?, ?, ?, ?, 0, ?, ?)",
            [
                newID(), report, channel["key"] as Int64, channel["kind"] as String, time.milliseconds,
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

/// What was told of a report, with the key of the sighting that was told first of the last.
private struct History {
    var rules = AlertRules.History()
    var thread: Int64?

    init(_ db: Database, station: Int64, of bike: MissingBike) throws {
        guard let last = bike.toldLast else { return }
        let share = try db.row(
            "SELECT since, alerts FROM station_share WHERE report = ? AND station = ?", [bike.report, station]
        )
        rules.station = share.map { AlertRules.StationShare(since: $0.timestamp("since"), count: $0["alerts"]) }
        guard rules.station != nil, let row = try db.row(Self.last, [last]) else { return }
        thread = row["key"]
        rules.last = AlertRules.Told(
            place: try row.sightingPlace(said: row.place()), firstSeen: row.timestamp("latest_first"),
            lastSeen: row.timestamp("latest_last"),
            isDoubtful: AlertRules.isDoubtful(SightingReason.reasons(bits: row["reasons"]))
        )
    }

    private static let last = """
        SELECT \(Sighting.columns), latest.first_seen AS latest_first, latest.last_seen AS latest_last
        FROM sighting AS latest JOIN sighting ON sighting.key = coalesce(latest.thread, latest.key) \(Sighting.joins)
        WHERE latest.key = ?
        """
}
