import Beacons
import Foundation
import GRDB
public import RegistryAPI

// Wall times that become known, and those that remain unknown.
extension Outbox {
    /// The relation between wall time and boot clock that was last stored; nil if none was.
    func anchor() async throws -> StationClock.Anchor? {
        try await database.read { try Self.anchor($0) }
    }

    /// Gives visits from this boot their wall times, and visits from earlier boots the best estimate.
    ///
    /// Writes nothing if nothing changes.
    ///
    /// - Returns: the number of changed visits.
    @discardableResult
    func attachTimes(_ anchor: StationClock.Anchor) async throws -> Int {
        let isNew = try await database.read { db in
            let kept = try Self.anchor(db)
            let uncertain = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM visit WHERE boot IS NOT NULL)")
            return uncertain == true || kept?.boot != anchor.boot || !Self.agree(kept, anchor)
        }
        guard isNew else { return 0 }
        return try await write { db in
            let earlier = try Self.anchor(db)
            let rows = try Row.fetchAll(db, sql: "SELECT * FROM visit WHERE boot IS NOT NULL")
            for row in rows { try Self.attach(anchor, after: earlier, to: row, db) }
            try db.execute(
                sql: "INSERT OR REPLACE INTO anchor VALUES (1, ?, ?, ?)",
                arguments: [anchor.boot.text, anchor.instant.nanoseconds, anchor.wall.milliseconds])
            return rows.count
        }
    }

    /// Whether two readings agree to a second.
    private static func agree(_ kept: StationClock.Anchor?, _ anchor: StationClock.Anchor) -> Bool {
        guard let kept else { return false }
        let difference = kept.timeline.timestamp(of: anchor.instant).duration(to: anchor.wall)
        return difference < .seconds(1) && difference > .seconds(-1)
    }

    /// The reading of an earlier run that gave the earliest time.
    func earliest() async throws -> StationClock.Anchor? {
        try await database.read { try Self.anchor($0, "earliest") }
    }

    /// Stores the reading that gives the earliest time, unless it is stored already.
    func keep(earliest: StationClock.Anchor) async throws {
        let kept = try await self.earliest()
        guard kept?.boot != earliest.boot || !Self.agree(kept, earliest) else { return }
        try await write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO earliest VALUES (1, ?, ?, ?)",
                arguments: [earliest.boot.text, earliest.instant.nanoseconds, earliest.wall.milliseconds])
        }
    }

    private static func anchor(_ db: Database, _ table: String = "anchor") throws -> StationClock.Anchor? {
        try Row.fetchOne(db, sql: "SELECT * FROM \(table)").map { row in
            StationClock.Anchor(
                boot: BootID(try row.checked("boot")), instant: ScanInstant(nanoseconds: try row.checked("instant")),
                wall: Timestamp(milliseconds: try row.checked("wall")))
        }
    }

    /// Dates a visit.
    ///
    /// - Parameters:
    ///   - anchor: a reading in this boot.
    ///   - earlier: the reading that was stored before it, perhaps in an earlier boot.
    private static func attach(
        _ anchor: StationClock.Anchor, after earlier: StationClock.Anchor?, to row: Row, _ db: Database
    ) throws {
        guard let span = try BootSpan(row) else { return }
        var visit = try decode(row.checked("body"))
        let isKnown = span.boot == anchor.boot
        if isKnown {
            visit.firstSeen = anchor.timeline.timestamp(of: span.first)
            visit.lastSeen = anchor.timeline.timestamp(of: span.last)
            visit.timeUncertain = nil
        } else {
            visit.place(
                after: earlier?.wall, before: anchor.timeline.timestamp(of: ScanInstant(nanoseconds: 0)))
        }
        // A time reported as an age is better than an estimate: an estimate is reported only if nothing was reported
        // before.
        try db.execute(
            sql: """
                UPDATE visit SET body = ?, last_seen = ?, boot = NULL,
                    revision = revision + (? OR sent = 0) WHERE id = ?
                """,
            arguments: [try encode(visit), visit.lastSeen.milliseconds, isKnown, visit.id.data])
        try db.execute(
            sql: """
                DELETE FROM visit WHERE id = ? AND ended AND sent >= revision AND refusal IS NULL
                    AND id NOT IN (SELECT visit FROM alarm)
                """,
            arguments: [visit.id.data])
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: .min)
}

extension Visit {
    /// Dates a visit from an earlier boot whose clock was never synchronised. It uses that clock's time if it is
    /// plausible: after the last known moment before it, and not long before this boot. Otherwise it uses the beginning
    /// of this boot, which the visit preceded.
    fileprivate mutating func place(after floor: Timestamp?, before ceiling: Timestamp) {
        timeUncertain = true
        // A clock that shows a time more than 20 days before this boot is taken to be wrong.
        let earliest = max(floor ?? .distantPast, ceiling.advanced(by: .days(-20)))
        guard firstSeen < earliest || lastSeen > ceiling else { return }
        firstSeen = ceiling.advanced(by: lastSeen.duration(to: firstSeen))
        lastSeen = ceiling
    }
}

// Places that become known.
extension Outbox {
    /// Sets this place on the visits that are waiting for one.
    ///
    /// - Returns: the number of changed visits.
    @discardableResult
    public func attachPlace(_ place: Place) async throws -> Int {
        let waiting = "SELECT * FROM visit WHERE placeless"
        let isNeeded = try await database.read { try Row.fetchOne($0, sql: waiting) != nil }
        guard isNeeded else { return 0 }
        return try await write { db in
            let rows = try Row.fetchAll(db, sql: waiting)
            for row in rows {
                var visit = try Self.decode(row.checked("body"))
                visit.place = place
                try db.execute(
                    sql: "UPDATE visit SET body = ?, placeless = 0, revision = revision + 1 WHERE id = ?",
                    arguments: [try Self.encode(visit), visit.id.data])
            }
            return rows.count
        }
    }
}
