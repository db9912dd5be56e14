package import PostgreSQL
import RegistryAPI
package import RegistryRules
import Synchronization

extension FindSenders.Place {
    /// A table that all processes share. It is UNLOGGED, so that neither the log nor a backup contains a key;
    /// PostgreSQL empties it after a crash, and a standby that is promoted has none. Then the processes agree again on
    /// the keys that they use.
    ///
    /// A starting process gives the others a moment to enter the keys that they use
    /// (``PostgreSQLRegistryStore/follow(_:looked:)``), as after a failover.
    ///
    /// - Parameter note: called if the database does not respond; the keys are then those of this process alone.
    package static func table(
        in pool: ConnectionPool, note: @escaping @Sendable (any Error) -> Void
    ) -> FindSenders.Place {
        let hasAgreed = Mutex(false)
        return FindSenders.Place { proposed in
            do {
                for _ in 0..<3 where !hasAgreed.withLock(\.self) {
                    let days = Array(proposed.keys)
                    if try await pool.use({ try kept(days, $0).count }) == days.count { break }
                    try await Task.sleep(for: .seconds(1))
                }
                hasAgreed.withLock { $0 = true }
                return try await pool.use { try $0.transaction { try agree(on: proposed, $0) } }
            } catch {
                note(error)
                return proposed
            }
        }
    }

    /// Stores the proposed keys for days that have none, deletes those of other days, and returns the stored ones.
    private static func agree(on proposed: FindSenders.Keys, _ connection: Connection) throws -> FindSenders.Keys {
        let days = Array(proposed.keys)
        // Most calls change nothing.
        let known = try kept(days, connection)
        let others = try connection.integer(
            "SELECT 1 FROM day_secret WHERE day <> ALL($1)", [.integers(days.map(\.day))])
        if known.count == days.count, others == nil { return known }
        let given: [Parameter] = [.integers(days.map(\.day)), .blobs(days.map { proposed[$0] })]
        try connection.run("DELETE FROM day_secret WHERE day <> ALL($1)", [given[0]])
        let sql =
            "INSERT INTO day_secret (day, secret) SELECT * FROM unnest($1::bigint[], $2::bytea[]) ON CONFLICT DO NOTHING"
        try connection.run(sql, given)
        return try kept(days, connection)
    }

    /// The stored keys of days.
    private static func kept(_ days: [CalendarDate], _ connection: Connection) throws -> FindSenders.Keys {
        var kept: FindSenders.Keys = [:]
        let given = Parameter.integers(days.map(\.day))
        try connection.visit("SELECT day, secret FROM day_secret WHERE day = ANY($1)", [given]) { row in
            if let day = row.integer(0) { kept[CalendarDate(day: day)] = Array(row.blob(1)) }
            return true
        }
        return kept
    }
}
