import Foundation
import GRDB
public import RegistryAPI
import RegistryClient

// Alarms at the venue. They are written together with the registry's response, so that a restart neither loses nor
// repeats one.
extension Outbox {
    /// The maximum number of alarms that wait at a bell; beyond it, the oldest are skipped.
    static let waitingAlarms = 16

    // Parts of statements. `visit` and `alarm` are their tables.

    /// Whether the alarm's bike has an open visit.
    private static let isPresent = """
        EXISTS (
            SELECT 1 FROM visit AS other
            WHERE NOT other.ended AND other.refusal IS NULL AND \(first(of: "other")) = \(first(of: "alarm"))
        )
        """
    /// Alarms with their visits.
    private static let alarms = """
        SELECT visit.*, alarm.look_for, alarm.confirmation, \(isPresent) AS is_present
        FROM alarm JOIN visit ON visit.id = alarm.visit
        """
    /// Whether a bell, which is a parameter, must ring.
    private static let isDueAtBell = """
        \(isPresent) AND NOT EXISTS (SELECT 1 FROM rung WHERE rung.stay = alarm.stay AND rung.bell = ?)
        """

    /// The latest alarms, newest first, until a day after their bikes left.
    public func alarms(limit: Int = 20) async throws -> [Alarm] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "\(Self.alarms) ORDER BY alarm.visit DESC LIMIT ?", arguments: [limit])
                .map(Alarm.init)
        }
    }

    /// The alarms that this bell has not rung for and whose bikes are still present, oldest first; and the number of
    /// alarms skipped because too many wait.
    func alarmsDue(at bell: String) async throws -> (alarms: [Alarm], skipped: Int) {
        let due = try await database.read { db in
            try Row.fetchAll(
                db, sql: "\(Self.alarms) WHERE \(Self.isDueAtBell) ORDER BY alarm.visit", arguments: [bell]
            )
            .map(Alarm.init)
        }
        let skipped = due.prefix(max(0, due.count - Self.waitingAlarms))
        if !skipped.isEmpty {
            try await write { db in for alarm in skipped { try Self.noteRung(alarm, at: bell, db) } }
        }
        return (Array(due.dropFirst(skipped.count)), skipped.count)
    }

    /// Records that a bell need not ring again for an alarm.
    func noteRung(_ alarm: Alarm, at bell: String) async throws {
        try await write { try Self.noteRung(alarm, at: bell, $0) }
    }

    private static func noteRung(_ alarm: Alarm, at bell: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO rung SELECT stay, ? FROM alarm WHERE visit = ?",
            arguments: [bell, alarm.id.data])
    }

    /// Records the answer from someone at the venue to an alarm; its visit becomes due for reporting. The latest answer
    /// counts.
    ///
    /// - Returns: whether there is an alarm for this visit.
    public func answer(
        _ id: VisitID, _ answer: VisitConfirmation.Answer, at time: Timestamp
    ) async throws -> Bool {
        try await write { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT confirmation FROM alarm JOIN visit ON visit.id = alarm.visit WHERE visit.id = ?",
                arguments: [id.data])
            guard let row else { return false }
            // If the clock was set back, the second answer must still be later than the first.
            let earlier = try staffAnswer(row)?.time.advanced(by: .milliseconds(1))
            let said = VisitConfirmation(answer: answer, time: max(time, earlier ?? time))
            try db.execute(
                sql: "UPDATE alarm SET confirmation = ? WHERE visit = ?",
                arguments: [String(decoding: try JSONEncoder().encode(said), as: UTF8.self), id.data])
            try db.execute(sql: "UPDATE visit SET revision = revision + 1 WHERE id = ?", arguments: [id.data])
            return true
        }
    }

    /// Raises an alarm for the registry's response, unless its stay has already had one or the bike has left.
    ///
    /// - Returns: whether an alarm was raised.
    static func ring(_ pending: Pending, _ result: VisitResult, _ db: Database) throws -> Bool {
        guard result.result == .stored, let lookFor = result.lookFor, !pending.visit.ended else { return false }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO alarm (stay, visit, look_for) SELECT :stay, :visit, :lookFor
                WHERE NOT EXISTS (SELECT 1 FROM alarm WHERE \(first(of: "alarm")) = :stay)
                """,
            arguments: [
                "stay": try firstStay(of: pending.visit.stay, db), "visit": pending.visit.id.data,
                "lookFor": String(decoding: try JSONEncoder().encode(lookFor), as: UTF8.self),
            ])
        return db.changesCount > 0
    }

    /// Deletes alarms whose bikes left a day ago, and the visits that were kept for an answer.
    ///
    /// - Parameters:
    ///   - isOld: the SQL condition for a visit whose bike left long enough ago.
    ///   - arguments: the parameters of that condition.
    static func forgetAlarms(where isOld: String, _ arguments: StatementArguments, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM visit WHERE id IN (SELECT visit FROM alarm)
                    AND ended AND sent >= revision AND refusal IS NULL AND boot IS NULL AND \(isOld)
                """, arguments: arguments)
        try db.execute(
            sql: """
                DELETE FROM alarm WHERE \(first(of: "alarm")) NOT IN
                    (SELECT \(first(of: "visit")) FROM visit WHERE stay IS NOT NULL)
                """)
        try forgetContinuations(db)
    }
}

/// The staff's answer in a row of visits joined with alarms.
private func staffAnswer(_ row: Row) throws -> VisitConfirmation? {
    guard let text: String = try row.checked("confirmation") as String? else { return nil }
    return try JSONDecoder().decode(VisitConfirmation.self, from: Data(text.utf8))
}

extension Outbox {
    /// A visit with the staff's answer, for its report.
    static func reported(_ row: Row) throws -> StationVisit {
        var kept = try StationVisit(row)
        kept.visit.confirmation = try staffAnswer(row)
        return kept
    }
}

extension Alarm {
    fileprivate init(_ row: Row) throws {
        self.init(
            kept: try StationVisit(row),
            // Earlier versions stored whatever a registry had sent.
            lookFor: try JSONDecoder().decode(
                BikeAppearance.self, from: Data((row.checked("look_for") as String).utf8)
            ).bounded,
            isPresent: try row.checked("is_present"), confirmation: try staffAnswer(row))
    }
}
