import Foundation
import GRDB
public import RegistryAPI
import VenueStatus

/// Whether a stay may be reported.
enum Consent: Int {
    case given = 0
    /// Someone at the venue has yet to answer.
    case awaited = 1
    /// Someone at the venue has refused, or nobody has answered in time.
    case refused = 2
}

// What the venue agrees to.
extension Outbox {
    /// Visits that wait until someone at the venue agrees, oldest first.
    public func awaitingConsent() async throws -> [StationVisit] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM visit WHERE consent = 1 ORDER BY id").map(StationVisit.init)
        }
    }

    /// Takes the venue's answer for a visit, which holds for its whole stay.
    ///
    /// - Returns: whether a visit of this name waited for an answer.
    public func answer(_ id: VisitID, isAgreed: Bool) async throws -> Bool {
        try await write { db in
            let stay = try Data.fetchOne(
                db, sql: "SELECT stay FROM visit WHERE id = ? AND consent = 1", arguments: [id.data])
            guard let stay else { return false }
            try Self.set(isAgreed ? .given : .refused, for: stay, counting: .dismissed, db)
            return true
        }
    }

    /// What holds for a stay that is about to be written.
    static func consent(to stay: StayID, asking: Bool, _ db: Database) throws -> Consent {
        guard asking else { return .given }
        let state = try Int.fetchOne(db, sql: "SELECT state FROM consent WHERE stay = ?", arguments: [stay.data])
        return state.flatMap(Consent.init) ?? .awaited
    }

    static func set(_ consent: Consent, for stay: Data, counting tally: OutboxTally, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO consent VALUES (?, ?)", arguments: [stay, consent.rawValue])
        try db.execute(
            sql: "UPDATE visit SET consent = ? WHERE stay = ? AND consent = 1", arguments: [consent.rawValue, stay])
        if consent == .refused { try count(tally, db.changesCount, db) }
        try forgetRefused(db)
    }

    /// A refused visit that goes on stays, so that it does not ask again.
    static func forgetRefused(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM visit WHERE consent = 2 AND ended")
    }
}
