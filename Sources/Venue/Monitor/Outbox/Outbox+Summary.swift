import GRDB
public import RegistryAPI
public import StationStatus

/// The contents of an outbox in numbers.
public struct OutboxSummary: Hashable, Sendable {
    /// Visits whose current state the registry has not acknowledged.
    public var waiting = 0
    /// The last time at which the bike of the oldest of these visits was heard.
    public var oldestWaiting: Timestamp?
    /// Visits that have not ended.
    public var open = 0
    /// Visits that wait for the venue's consent.
    public var awaitingConsent = 0
    /// Visits that wait for the station's place.
    public var awaitingPlace = 0
    /// Visits whose wall time is not known yet.
    public var awaitingClock = 0
    /// Visits that the registry refused as invalid.
    public var setAside = 0
    /// The numbers of visits ever merged or lost, by reason.
    public var tally: [OutboxTally: Int] = [:]
}

extension Outbox {
    /// What the outbox holds now.
    public func summary() async throws -> OutboxSummary {
        try await database.read { db in
            var summary = OutboxSummary()
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT count(*) FILTER (WHERE due) AS waiting, min(last_seen) FILTER (WHERE due) AS oldest,
                        count(*) FILTER (WHERE NOT ended AND refusal IS NULL) AS open,
                        count(*) FILTER (WHERE consent = 1) AS consent, count(*) FILTER (WHERE placeless) AS place,
                        count(*) FILTER (WHERE boot IS NOT NULL) AS clock,
                        count(*) FILTER (WHERE refusal IS NOT NULL) AS refused
                    FROM (SELECT *, (\(Self.isDue)) AS due FROM visit)
                    """)
            if let row {
                summary.waiting = try row.checked("waiting")
                summary.oldestWaiting = (try row.checked("oldest") as Int64?).map { Timestamp(milliseconds: $0) }
                summary.open = try row.checked("open")
                summary.awaitingConsent = try row.checked("consent")
                summary.awaitingPlace = try row.checked("place")
                summary.awaitingClock = try row.checked("clock")
                summary.setAside = try row.checked("refused")
            }
            for row in try Row.fetchAll(db, sql: "SELECT name, count FROM tally") {
                // Another version may have counted for other reasons.
                guard let tally = try OutboxTally(rawValue: row.checked("name")) else { continue }
                summary.tally[tally] = try row.checked("count")
            }
            return summary
        }
    }

    /// Opens an outbox read-only: nothing is created, migrated or written.
    static func openToRead(_ path: String) throws(OutboxError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store = MEMORY; \(Self.answeredTable)") }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw OutboxError(path: path, underlying: error)
        }
    }

    /// The number of visits that are waiting for a response.
    public func depth() async throws -> Int {
        try await database.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM visit WHERE \(Self.isDue)") ?? 0
        }
    }
}
