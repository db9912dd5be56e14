import Foundation
import GRDB
import RegistryAPI

// Stays of beacons with rotating identities. The station cannot know that two identities belong to the same beacon: it
// learns so from the registry's response.
extension Outbox {
    /// Stores that a stay continues an earlier one, so that the bells do not ring again.
    static func noteContinuation(_ pending: Pending, _ result: VisitResult, _ db: Database) throws {
        guard let first = result.continues, first != pending.visit.stay else { return }
        try db.execute(
            sql: "INSERT OR IGNORE INTO continuation VALUES (?, ?)", arguments: [pending.visit.stay.data, first.data])
    }

    /// The first of the stays that a stay continues; the stay itself if there is none.
    static func firstStay(of stay: StayID, _ db: Database) throws -> Data {
        try Data.fetchOne(db, sql: "SELECT first FROM continuation WHERE stay = ?", arguments: [stay.data]) ?? stay.data
    }

    /// The same for the column `stay` of a table in a query.
    static func first(of table: String) -> String {
        "coalesce((SELECT first FROM continuation WHERE continuation.stay = \(table).stay), \(table).stay)"
    }

    /// Deletes what visits and alarms no longer need.
    static func forgetContinuations(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM continuation WHERE stay NOT IN (SELECT stay FROM visit WHERE stay IS NOT NULL)
                    AND stay NOT IN (SELECT stay FROM alarm)
                """)
    }
}
