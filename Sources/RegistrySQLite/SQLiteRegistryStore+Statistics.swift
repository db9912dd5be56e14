import GRDB
public import Registry

extension SQLiteRegistryStore {
    public func statistics() async throws -> RegistryStatistics {
        try await read { db in
            func number(_ sql: String) throws -> Int64 { try db.integer(sql, []) ?? 0 }
            return RegistryStatistics(
                alertsWaiting: try number("SELECT count(*) FROM alert WHERE due IS NOT NULL"),
                missingBikes: try number("SELECT count(*) FROM report WHERE closed IS NULL"),
                missingListVersion: UInt64(clamping: try number("SELECT version FROM missing_list")),
                stations: try number("SELECT count(*) FROM station"),
                // The sequence also counts what was deleted since.
                sightingsStored: try number("SELECT seq FROM sqlite_sequence WHERE name = 'sighting'"),
                databaseBytes: try number("PRAGMA page_count") * number("PRAGMA page_size")
            )
        }
    }
}
