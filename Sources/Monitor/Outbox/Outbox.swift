import Foundation
import GRDB
public import RegistryAPI

/// Visits on disk, from their first moment until the registry has answered for their last.
///
/// A visit that goes on stays here after it was reported, so that a monitor that restarts continues the same visit
/// instead of making a second one. Every write is on disk before it returns (SQLite, WAL, `synchronous=FULL`).
public struct Outbox: Sendable {
    /// A visit to report, with the revision that the report carries.
    public struct Pending: Sendable {
        public let visit: Visit
        let revision: Int64
    }

    /// A visit that the registry calls invalid, kept for people to look at.
    public struct Refusal: Sendable {
        public let visit: Visit
        public let reason: String
    }

    let database: DatabaseQueue
    let observe: @Sendable (OutboxStep) -> Void

    /// Opens the outbox and creates it where there is none.
    ///
    /// - Parameters:
    ///   - path: the database file, in a folder that exists.
    ///   - observe: told of each step; for tests.
    /// - Throws: ``OutboxError``.
    public init(path: String, observe: @escaping @Sendable (OutboxStep) -> Void = { _ in }) throws(OutboxError) {
        self.observe = observe
        do {
            database = try Self.open(path)
        } catch {
            throw OutboxError(path: path, underlying: error)
        }
    }

    /// Writes visits as they are now; a visit that is known is replaced and becomes due again.
    public func record(_ visits: [Visit]) async throws {
        guard !visits.isEmpty else { return }
        observe(.recording)
        let rows = try visits.map { (id: $0.id.data, body: try Self.encode($0), ended: $0.ended) }
        try await database.write { db in
            for row in rows {
                try db.execute(
                    sql: """
                        INSERT INTO visit (id, body, revision, ended) VALUES (?, ?, 1, ?)
                        ON CONFLICT (id) DO UPDATE SET body = excluded.body, revision = revision + 1,
                            ended = excluded.ended
                        """,
                    arguments: [row.id, row.body, row.ended]
                )
            }
        }
        observe(.recorded)
    }

    /// Visits that the registry has not answered for in their present state, oldest first.
    public func pending(limit: Int = VisitBatch.maximumCount) async throws -> [Pending] {
        let pending = try await database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT body, revision FROM visit WHERE revision > sent AND refusal IS NULL ORDER BY id LIMIT ?
                    """,
                arguments: [limit]
            ).map { Pending(visit: try Self.decode($0["body"]), revision: $0["revision"]) }
        }
        observe(.claimed)
        return pending
    }

    /// Writes down what the registry answered. A visit that changed meanwhile stays due; an ended one is forgotten.
    public func settle(_ answers: [(pending: Pending, result: VisitResult)]) async throws {
        observe(.answered)
        try await database.write { db in
            for (pending, result) in answers {
                let id = pending.visit.id.data
                let refusal = result.result == .invalid ? Self.reason(of: result) : nil
                try db.execute(
                    sql: "UPDATE visit SET sent = ?, refusal = ? WHERE id = ?",
                    arguments: [pending.revision, refusal, id]
                )
                try db.execute(
                    sql: "DELETE FROM visit WHERE id = ? AND ended AND sent = revision AND refusal IS NULL",
                    arguments: [id]
                )
            }
        }
        observe(.settled)
    }

    /// Visits that had not ended when the monitor stopped.
    public func openVisits() async throws -> [Visit] {
        try await database.read { db in
            try String.fetchAll(db, sql: "SELECT body FROM visit WHERE NOT ended AND refusal IS NULL ORDER BY id")
                .map(Self.decode)
        }
    }

    /// How many visits wait for an answer.
    public func depth() async throws -> Int {
        try await database.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM visit WHERE revision > sent AND refusal IS NULL") ?? 0
        }
    }

    /// Visits that were set aside, with the registry's reasons.
    public func refusals() async throws -> [Refusal] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "SELECT body, refusal FROM visit WHERE refusal IS NOT NULL ORDER BY id")
                .map { Refusal(visit: try Self.decode($0["body"]), reason: $0["refusal"]) }
        }
    }

    private static func encode(_ visit: Visit) throws -> String {
        String(decoding: try JSONEncoder().encode(visit), as: UTF8.self)
    }

    private static func decode(_ body: String) throws -> Visit {
        try JSONDecoder().decode(Visit.self, from: Data(body.utf8))
    }

    private static func reason(of result: VisitResult) -> String {
        let reasons = (result.errors ?? []).map { "\($0.pointer): \($0.detail)" }
        return reasons.isEmpty ? "the registry gave no reason" : reasons.joined(separator: "; ")
    }
}

extension VisitID {
    /// The 16 bytes in transmitted order, which is also the order in time.
    fileprivate var data: Data {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
    }
}
