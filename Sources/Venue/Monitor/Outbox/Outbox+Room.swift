import Beacons
import Foundation
import GRDB
import RegistryAPI
import StationStatus

// Limits.
extension Outbox {
    /// The number of visits that are considered together for merging.
    private static let page = 1000

    /// Makes room if there are too many visits: merges the oldest, and drops visits if that is not enough. It frees a
    /// twentieth more than needed, so that a full outbox does not need this for every visit.
    static func makeRoom(for limit: Int, _ db: Database) throws {
        let visits = try Int.fetchOne(db, sql: "SELECT count(*) FROM visit") ?? 0
        guard visits > limit else { return }
        let excess = visits - (limit - limit / 20)
        let merged = try merge(excess, db)
        try count(.merged, merged, db)
        // Drop first the visits that the registry has refused, then those that it knows, then those heard only once,
        // because a flood of replayed beacons mostly consists of those.
        try db.execute(
            sql: """
                DELETE FROM visit WHERE id IN
                    (SELECT id FROM visit WHERE ended
                        ORDER BY refusal IS NULL, sent = 0, body ->> '$.count' > 1, id LIMIT ?)
                """,
            arguments: [max(0, excess - merged)])
        try count(.droppedForSize, db.changesCount, db)
    }

    /// Merges visits, oldest first, until `wanted` rows are saved or all visits were considered.
    ///
    /// - Returns: the number of rows saved.
    private static func merge(_ wanted: Int, _ db: Database) throws -> Int {
        var saved = 0
        var after = Data()
        while saved < wanted {
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM visit WHERE id > ? AND ended AND refusal IS NULL AND consent <> 2 ORDER BY id LIMIT ?
                    """,
                arguments: [after, page])
            guard let last = rows.last else { break }
            after = try last.checked("id")
            var merging = VisitMerging()
            for row in rows where saved < wanted {
                if try merging.take(
                    StationVisit(row), isTold: (row.checked("sent") as Int64) > 0, consent: row.checked("consent"))
                {
                    try db.execute(sql: "DELETE FROM visit WHERE id = ?", arguments: [try row.checked("id") as Data])
                    saved += 1
                }
            }
            for kept in merging.changed { try replace(kept, db) }
        }
        return saved
    }

    /// Writes a visit into which others were merged.
    private static func replace(_ kept: StationVisit, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE visit SET body = ?, last_seen = ?, boot_first = ?, boot_last = ?, revision = revision + 1
                WHERE id = ?
                """,
            arguments: [
                try encode(kept.visit), kept.visit.lastSeen.milliseconds, kept.span?.first.nanoseconds,
                kept.span?.last.nanoseconds, kept.visit.id.data,
            ])
    }

    /// Drops visits that are too old to report, and stops waiting for overdue answers. If wall time is not known, only
    /// visits from this boot can be judged. A jump of the wall clock makes nothing old.
    func expire(_ clock: StationClock) async throws {
        let wall = clock.earliestWallTime
        let (boot, now, limits) = (clock.boot.text, clock.now, limits)
        try await write { db in
            func isOlder(_ age: Duration) -> (sql: String, arguments: StatementArguments) {
                let (lastWall, lastBoot) = (wall?.advanced(by: .zero - age), now.advanced(by: .zero - age))
                return (
                    "((boot IS NULL AND last_seen < ?) OR (boot = ? AND boot_last < ?))",
                    [lastWall?.milliseconds ?? .min, boot, lastBoot.nanoseconds]
                )
            }
            let unanswered = isOlder(limits.consent)
            let stays = try Data.fetchAll(
                db, sql: "SELECT DISTINCT stay FROM visit WHERE consent = 1 AND \(unanswered.sql)",
                arguments: unanswered.arguments)
            for stay in stays { try Self.set(.refused, for: stay, counting: .consentExpired, db) }
            let old = isOlder(limits.age)
            try db.execute(sql: "DELETE FROM visit WHERE \(old.sql)", arguments: old.arguments)
            try Self.count(.droppedForAge, db.changesCount, db)
            try Self.forgetRefused(db)
            try db.execute(
                sql: "DELETE FROM consent WHERE stay NOT IN (SELECT stay FROM visit WHERE stay IS NOT NULL)")
            try Self.writeAnswers(db)
            let unanswerable = isOlder(limits.answer)
            try Self.forgetAlarms(where: unanswerable.sql, unanswerable.arguments, db)
        }
    }

    /// Adds to a number of visits that were merged or lost.
    static func count(_ tally: OutboxTally, _ number: Int, _ db: Database) throws {
        guard number > 0 else { return }
        try db.execute(
            sql: "INSERT INTO tally VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count",
            arguments: [tally.rawValue, number])
    }
}
