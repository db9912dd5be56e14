import Foundation
import GRDB
public import RegistryAPI

// Reporting to the registry.
extension Outbox {
    /// The condition for a visit whose current state the registry has not acknowledged, and that waits for nothing
    /// else.
    static let isDue = """
        consent = 0 AND NOT placeless
        AND revision > max(sent, coalesce((SELECT revision FROM temp.answered WHERE answered.id = visit.id), 0))
        """

    /// The visits that are due: first those of bikes that are still present, then the oldest.
    ///
    /// - Parameter excluded: visits to leave out this time.
    public func pending(
        limit: Int = VisitBatch.maximumCount, excluding excluded: Set<VisitID> = []
    ) async throws -> [Pending] {
        let pending = try await database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT *, (SELECT confirmation FROM alarm WHERE alarm.visit = visit.id) AS confirmation
                    FROM visit WHERE \(Self.isDue) ORDER BY ended, id LIMIT ?
                    """,
                arguments: [limit + excluded.count]
            ).map { Pending(kept: try Self.reported($0), revision: try $0.checked("revision")) }
        }
        observe(.claimed)
        return Array(pending.filter { !excluded.contains($0.visit.id) }.prefix(limit))
    }

    /// The next visits to report; empty if none is due.
    func pending(by pace: inout ReportPace) async throws -> [Pending] {
        for round in ReportPace.Round.allCases {
            let batch = try await pending(limit: pace.batchSize, excluding: pace.excluded(from: round))
            if !batch.isEmpty { return batch }
        }
        return []
    }

    /// Records the registry's responses. A visit that changed in the meantime stays due; an ended visit is deleted
    /// later.
    ///
    /// - Parameter current: the visits for which an alarm may be raised.
    /// - Returns: the visits for which an alarm was raised; it is on disk.
    @discardableResult
    public func settle(
        _ answers: [(pending: Pending, result: VisitResult)], ringing current: Set<VisitID> = []
    ) async throws -> [VisitID] {
        observe(.answered)
        let ringing = try await write { db in
            var ringing: [VisitID] = []
            // Note all continuations first: an alarm of a later visit in the set may belong to an earlier visit's stay.
            for (pending, result) in answers { try Self.noteContinuation(pending, result, db) }
            for (pending, result) in answers {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO temp.answered VALUES (?, ?)",
                    arguments: [pending.visit.id.data, pending.revision])
                if current.contains(pending.visit.id), try Self.ring(pending, result, db) {
                    ringing.append(pending.visit.id)
                }
                // Most visits were not refused before or now: nothing is written for these.
                let refusal = result.result == .invalid ? Self.reason(of: result) : nil
                try db.execute(
                    sql: "UPDATE visit SET refusal = ? WHERE id = ? AND refusal IS NOT ?",
                    arguments: [refusal, pending.visit.id.data, refusal])
            }
            let noted = try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.answered") ?? 0
            if noted >= Self.answersInMemory { try Self.writeAnswers(db) }
            return ringing
        }
        observe(.settled)
        return ringing
    }

    /// The maximum number of responses that wait in memory for the next write; with more, a power cut would repeat too
    /// many reports.
    private static let answersInMemory = 100

    /// Writes the responses that are waiting in memory, when the program ends.
    public func flush() async throws {
        try await write { try Self.writeAnswers($0) }
    }

    /// Deletes the ended visits that the registry has acknowledged, unless staff may still answer.
    static func writeAnswers(_ db: Database) throws {
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM temp.answered)") == true else { return }
        try db.execute(
            sql: """
                UPDATE visit SET sent = max(sent, (SELECT revision FROM temp.answered WHERE answered.id = visit.id))
                WHERE id IN (SELECT id FROM temp.answered);
                DELETE FROM visit WHERE id IN (SELECT id FROM temp.answered)
                    AND ended AND sent >= revision AND refusal IS NULL AND boot IS NULL
                    AND id NOT IN (SELECT visit FROM alarm);
                DELETE FROM temp.answered
                """)
    }

    /// Why the registry calls a visit invalid.
    private static func reason(of result: VisitResult) -> String {
        let reasons = (result.errors ?? []).map { "\($0.pointer): \($0.detail)" }
        return reasons.isEmpty ? "the registry gave no reason" : reasons.joined(separator: "; ")
    }
}
