package import Registry
package import RegistryAPI

/// Counts for the metrics.
package struct Statistics {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    package func read(silentBefore: Timestamp, databaseBytes: Int64) throws -> RegistryStatistics {
        func number(_ sql: String, _ arguments: Parameters = []) throws -> Int64 {
            try db.integer(sql, arguments) ?? 0
        }
        return RegistryStatistics(
            alertsWaiting: try number("SELECT count(*) FROM alert WHERE due IS NOT NULL"),
            missingBikes: try number("SELECT count(*) FROM report WHERE closed IS NULL"),
            missingListVersion: UInt64(clamping: try number("SELECT version FROM missing_list")),
            stations: try number("SELECT count(*) FROM station WHERE revoked IS NULL AND app = 0"),
            silentStations: try number(
                """
                SELECT count(*) FROM station LEFT JOIN station_heartbeat ON station_heartbeat.station = station.key
                WHERE revoked IS NULL AND app = 0 AND coalesce(received, enrolled) < ?
                """,
                [silentBefore.milliseconds]
            ),
            // The sequence also counts rows that have since been deleted.
            sightingsStored: try number(db.dialect.lastKey(of: .sighting)),
            databaseBytes: databaseBytes, unreadableBeacons: try RotatingBeacons(db).unreadable()
        )
    }
}
