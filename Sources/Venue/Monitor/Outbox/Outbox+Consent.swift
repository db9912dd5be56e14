import Foundation
import GRDB
public import RegistryAPI
import StationStatus

/// Whether a stay may be reported.
enum Consent: Int {
    case given = 0
    /// The venue has not answered yet.
    case awaited = 1
    /// The venue has refused, or did not answer in time.
    case refused = 2
}

// Consent of the venue.
extension Outbox {
    /// Visits that are waiting for the venue's consent, oldest first.
    public func awaitingConsent() async throws -> [StationVisit] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM visit WHERE consent = 1 ORDER BY id").map(StationVisit.init)
        }
    }

    /// Records the venue's answer to a visit; it applies to the whole stay.
    ///
    /// - Returns: whether a visit with this identifier was waiting for an answer.
    public func answer(_ id: VisitID, isAgreed: Bool) async throws -> Bool {
        try await write { db in
            let stay = try Data.fetchOne(
                db, sql: "SELECT stay FROM visit WHERE id = ? AND consent = 1", arguments: [id.data])
            guard let stay else { return false }
            try Self.set(isAgreed ? .given : .refused, for: stay, counting: .dismissed, db)
            return true
        }
    }

    /// The consent that applies to a stay that is about to be written.
    static func consent(to stay: StayID, asking: Bool, _ db: Database) throws -> Consent {
        guard asking else { return .given }
        let state = try Int.fetchOne(db, sql: "SELECT state FROM consent WHERE stay = ?", arguments: [stay.data])
        return state.flatMap(Consent.init) ?? .awaited
    }

    /// Applies an answer, or the lack of one, to a stay and its waiting visits.
    ///
    /// - Parameter tally: what refused visits are counted as.
    static func set(_ consent: Consent, for stay: Data, counting tally: OutboxTally, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO consent VALUES (?, ?)", arguments: [stay, consent.rawValue])
        try db.execute(
            sql: "UPDATE visit SET consent = ? WHERE stay = ? AND consent = 1", arguments: [consent.rawValue, stay])
        if consent == .refused { try count(tally, db.changesCount, db) }
        try forgetRefused(db)
    }

    /// Deletes refused visits that have ended. A visit that continues is kept, so that the venue is not asked again.
    static func forgetRefused(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM visit WHERE consent = 2 AND ended")
    }
}
