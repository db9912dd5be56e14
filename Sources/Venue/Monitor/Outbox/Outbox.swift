import Beacons
import Foundation
import GRDB
public import RegistryAPI

/// Visits on disk, from their first moment until the registry has acknowledged their end.
///
/// A continuing visit stays here after it was reported, so that a restarted monitor continues the same visit instead of
/// creating a second one. Every visit is on disk before its write returns (SQLite, WAL, `synchronous=FULL`). Responses
/// are kept in memory and written with the next visit: if they are lost, the visit is reported twice, which changes
/// nothing in the registry.
public struct Outbox: Sendable {
    /// A visit to report, with the revision that the report carries.
    public struct Pending: Sendable {
        public let kept: StationVisit
        /// The number of writes of the visit so far; if it is greater by now, the visit stays due.
        let revision: Int64

        public var visit: Visit { kept.visit }
    }

    /// A visit that the registry refused as invalid, kept for inspection.
    public struct Refusal: Sendable {
        public let visit: Visit
        public let reason: String
    }

    public let limits: OutboxLimits
    let database: DatabaseQueue
    let observe: @Sendable (OutboxStep) -> Void

    /// Opens the outbox, and creates it if it does not exist. A damaged one is renamed, and its readable visits are
    /// copied to the new one.
    ///
    /// - Parameters:
    ///   - path: the path of the database file, in an existing folder.
    ///   - observe: called at each step; for tests.
    /// - Throws: ``OutboxError``.
    public init(
        path: String, limits: OutboxLimits = OutboxLimits(),
        observe: @escaping @Sendable (OutboxStep) -> Void = { _ in }
    ) throws(OutboxError) {
        self.observe = observe
        self.limits = limits
        do {
            database = try Self.open(path)
        } catch let error as DatabaseError where error.isDamage {
            database = try Self.replaceDamaged(path, because: error)
        } catch {
            throw OutboxError(path: path, underlying: error)
        }
    }

    /// An outbox opened read-only.
    init(database: DatabaseQueue) {
        self.database = database
        limits = OutboxLimits()
        observe = { _ in }
    }

    /// Writes visits in their current state. A known visit is replaced and becomes due again, even if it was refused
    /// before; its refusal is kept until the registry has judged it again.
    ///
    /// - Parameter asking: whether a new stay waits for the venue's consent.
    public func record(_ visits: [StationVisit], asking: Bool = false) async throws {
        guard !visits.isEmpty else { return }
        observe(.recording)
        try await write { db in
            try Self.writeAnswers(db)
            for visit in visits { try Self.write(visit, asking: asking, db) }
            try Self.makeRoom(for: limits.visits, db)
        }
        observe(.recorded)
    }

    /// Writes visits whose times and places are known.
    public func record(_ visits: [Visit]) async throws {
        try await record(visits.map { StationVisit($0) })
    }

    /// Visits that had not ended when the monitor stopped.
    public func openVisits() async throws -> [StationVisit] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM visit WHERE NOT ended AND refusal IS NULL ORDER BY id")
                .map(StationVisit.init)
        }
    }

    /// Visits that the registry refused, with its reasons.
    public func refusals() async throws -> [Refusal] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT body, refusal FROM visit WHERE refusal IS NOT NULL ORDER BY id")
                .map { Refusal(visit: try Self.decode($0.checked("body")), reason: try $0.checked("refusal")) }
        }
    }

    /// Runs a write in one transaction.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await database.write(body)
        } catch let error as DatabaseError where error.isDamage {
            throw failure(error)
        }
    }

    /// The error with the path of this outbox.
    func failure(_ error: any Error) -> OutboxError { OutboxError(path: database.path, underlying: error) }

    /// Inserts or replaces a visit.
    private static func write(_ kept: StationVisit, asking: Bool, _ db: Database) throws {
        let visit = kept.visit
        try db.execute(
            sql: """
                INSERT INTO visit (id, stay, body, revision, ended, last_seen, boot, boot_first, boot_last, placeless,
                    consent)
                VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET body = excluded.body, revision = revision + 1, ended = excluded.ended,
                    last_seen = excluded.last_seen, boot = excluded.boot, boot_first = excluded.boot_first,
                    boot_last = excluded.boot_last, placeless = excluded.placeless
                """,
            arguments: [
                visit.id.data, visit.stay.data, try encode(visit), visit.ended, visit.lastSeen.milliseconds,
                kept.span?.boot.text, kept.span?.first.nanoseconds, kept.span?.last.nanoseconds, kept.isPlaceless,
                try consent(to: visit.stay, asking: asking, db).rawValue,
            ]
        )
    }

    /// A visit as the column `body` has it.
    static func encode(_ visit: Visit) throws -> String {
        String(decoding: try JSONEncoder().encode(visit), as: UTF8.self)
    }

    /// The visit in a column `body`.
    static func decode(_ body: String) throws -> Visit {
        try JSONDecoder().decode(Visit.self, from: Data(body.utf8))
    }
}

/// The limits of an outbox.
public struct OutboxLimits: Hashable, Sendable {
    /// The maximum number of visits, of about 700 bytes each; beyond it, the oldest are merged, and dropped if that is
    /// not enough.
    public var visits: Int
    /// The maximum age of a visit: the registry accepts none that is older.
    public var age: Duration
    /// How long a visit waits for consent.
    public var consent: Duration
    /// The time after a bike has left during which staff may answer its alarm.
    public var answer: Duration

    public init(
        visits: Int = 20_000, age: Duration = .days(30), consent: Duration = .days(1),
        answer: Duration = .days(1)
    ) {
        self.visits = max(visits, 1)
        self.age = age
        self.consent = consent
        self.answer = answer
    }
}

/// The steps at which a crash must neither lose nor repeat anything: tests stop the process at each of them.
public enum OutboxStep: String, CaseIterable, Sendable {
    /// A visit is about to be written.
    case recording
    /// The visit is on disk.
    case recorded
    /// Visits were read to be reported.
    case claimed
    /// The registry has responded, but the response is not recorded.
    case answered
    /// The response is recorded: in memory, until the next write includes it.
    case settled
}
