import Foundation
package import RegistryAPI
package import RegistryRules

/// The visits that wait for partners. A visit is stored in the transaction that answers its station, and deleted when
/// the partner has confirmed it.
package struct PartnerOutbox {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Adds the visits of requests. Only this registry's own stations have their visits forwarded, so that nothing is
    /// forwarded twice; and none that the operator distrusts.
    func add(_ requests: [RecordRequest], of stations: [StationID: RecordingStation]) throws {
        for request in requests where !request.forwards.isEmpty {
            guard let station = stations[request.station], station.isOwn else { continue }
            for forward in request.forwards { try add(forward, of: station.key, at: request.time) }
        }
    }

    /// Adds a visit, unless too many wait. A visit that waits already takes the later state: a station reports all
    /// that it knows of a visit.
    private func add(_ forward: PartnerForward, of station: Int64, at time: Timestamp) throws {
        let visit = forward.visit
        let sql = "SELECT key, body FROM partner_outbox WHERE partner = ? AND station = ? AND visit = ?"
        if let row = try db.row(sql, [forward.partner, station, visit.id.blob]) {
            let waiting = try Self.visit(try row["body"])
            guard visit.lastSeen >= waiting.lastSeen || visit.ended && !waiting.ended else { return }
            return try db.run(
                "UPDATE partner_outbox SET body = ?, received = ?, revision = revision + 1, due = ? WHERE key = ?",
                [try Self.body(visit), time.milliseconds, time.milliseconds, try row["key"] as Int64])
        }
        guard try !isFull(forward.partner, of: station), try Partners(db).isActive(forward.partner) else { return }
        _ = try db.insert(
            "INSERT INTO partner_outbox (partner, station, visit, body, received, created, due) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                forward.partner, station, visit.id.blob, try Self.body(visit), time.milliseconds, time.milliseconds,
                time.milliseconds,
            ])
    }

    /// Whether too many visits wait for a partner, of this station or of all.
    private func isFull(_ partner: Int64, of station: Int64) throws -> Bool {
        let waiting = "SELECT key FROM partner_outbox WHERE partner = ?"
        return try db.exists(
            waiting + " AND station = ? LIMIT 1 OFFSET \(PartnerRules.mostWaitingOfStation - 1)", [partner, station])
            || db.exists(waiting + " LIMIT 1 OFFSET \(PartnerRules.mostWaiting - 1)", [partner])
    }

    /// Whether ``claim(for:limit:at:leaseUntil:)`` would claim anything.
    func hasDue(for partner: Int64, at time: Timestamp) throws -> Bool {
        // Two ranges of the index: with OR, all that waits would be looked at, for each visit.
        let due = "SELECT 1 FROM partner_outbox WHERE partner = ? AND due <= ?"
        let beyondPauses = "SELECT 1 FROM partner_outbox WHERE partner = ? AND due > ?"
        let latest = time.advanced(by: Self.longestPause)
        return try db.exists(due, [partner, time.milliseconds])
            || db.exists(beyondPauses, [partner, latest.milliseconds])
    }

    /// Longer than any pause between two attempts. What is due later was stored while the clock was ahead.
    private static let longestPause = Duration.seconds(2 * 3600)

    /// Claims the visits that are due, for one attempt. If the attempt is interrupted, they are due again after the
    /// lease.
    package func claim(
        for partner: Int64, limit: Int, at time: Timestamp, leaseUntil lease: Timestamp
    ) throws -> [WaitingForward] {
        let rows = try db.rows(
            """
            SELECT partner_outbox.key, revision, body, received, station.id AS station_id, name, mobile, latitude,
                longitude, accuracy
            FROM partner_outbox JOIN station ON station.key = partner_outbox.station
            JOIN station_place AS stands ON stands.station = station.key
                AND stands.since = (SELECT max(since) FROM station_place WHERE station = partner_outbox.station)
            WHERE partner_outbox.partner = ? AND (due <= ? OR due > ?) ORDER BY due, partner_outbox.key LIMIT ?
            """, [partner, time.milliseconds, time.advanced(by: Self.longestPause).milliseconds, limit])
        for row in rows {
            try db.run(
                "UPDATE partner_outbox SET due = ? WHERE key = ?", [lease.milliseconds, try row["key"] as Int64])
        }
        return try rows.map { row in
            guard let place = try row.place() else { throw CorruptRow(column: "latitude") }
            return WaitingForward(
                key: try row["key"], revision: try row["revision"], station: try row.id("station_id"),
                name: try row["name"], isMobile: try row["mobile"], place: place,
                received: try row.timestamp("received"), visit: try Self.visit(try row["body"]))
        }
    }

    /// Deletes the visits that the partner has answered, unless a later state waits, and counts the answers.
    ///
    /// Visits that the partner calls invalid wait: one of the two registries may have a wrong clock.
    package func settle(
        _ answers: [(forward: WaitingForward, result: VisitResult.Verdict)], of partner: Int64, at time: Timestamp
    ) throws {
        var counts: [VisitResult.Verdict: Int] = [:]
        for (forward, result) in answers {
            counts[result, default: 0] += 1
            if result == .invalid {
                try db.run(
                    "UPDATE partner_outbox SET due = ? WHERE key = ? AND revision = ?",
                    [time.advanced(by: Self.afterRefusal).milliseconds, forward.key, forward.revision])
            } else {
                try db.run(
                    "DELETE FROM partner_outbox WHERE key = ? AND revision = ?", [forward.key, forward.revision])
            }
        }
        let failure = counts[.invalid].map {
            "visits that it does not accept: \($0). They are sent again every hour; check both registries’ clocks"
        }
        try db.run(
            "UPDATE partner SET stored = stored + ?, ignored = ignored + ?, failure = ? WHERE key = ?",
            [counts[.stored] ?? 0, counts[.ignored] ?? 0, failure, partner])
    }

    /// When a visit that a partner called invalid is sent again.
    private static let afterRefusal = Duration.seconds(3600)

    /// Makes claimed visits wait for another attempt.
    package func postpone(
        _ forwards: [WaitingForward], of partner: Int64, until due: Timestamp, failure: String
    ) throws {
        for forward in forwards {
            try db.run("UPDATE partner_outbox SET due = ? WHERE key = ?", [due.milliseconds, forward.key])
        }
        try db.run("UPDATE partner SET failure = ? WHERE key = ?", [failure, partner])
    }

    /// Deletes visits that have waited too long, also those for suspended partners, and counts them as refused.
    func forget(at time: Timestamp) throws {
        let oldest = time.advanced(by: .zero - PartnerRules.patience).milliseconds
        let old = "SELECT partner, count(*) AS number FROM partner_outbox WHERE created < ? GROUP BY partner"
        for row in try db.rows(old, [oldest]) {
            try db.run(
                "UPDATE partner SET refused = refused + ? WHERE key = ?",
                [try row["number"] as Int64, try row["partner"] as Int64])
        }
        try db.run("DELETE FROM partner_outbox WHERE created < ?", [oldest])
    }

    /// Deletes what waits of a station whose venue wants no partner to get it.
    func drop(station: Int64) throws {
        // By the index of partners, stations and visits.
        let partners = "SELECT key FROM partner WHERE removed IS NULL"
        try db.run("DELETE FROM partner_outbox WHERE partner IN (\(partners)) AND station = ?", [station])
    }

    /// A visit as the column `body` holds it.
    private static func body(_ visit: Visit) throws -> [UInt8] { [UInt8](try JSONEncoder().encode(visit)) }

    /// Reads what ``body(_:)`` makes.
    private static func visit(_ body: Data) throws -> Visit {
        guard let visit = try? JSONDecoder().decode(Visit.self, from: body) else { throw CorruptRow(column: "body") }
        return visit
    }
}
