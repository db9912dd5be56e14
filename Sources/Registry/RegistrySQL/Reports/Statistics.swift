package import RegistryAPI
package import RegistryRules

/// Counts for the metrics. The operators' overview shares those of stations and of bikes.
package struct Statistics {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Reads all counts.
    ///
    /// - Parameters:
    ///   - silentBefore: a station counts as silent if its last heartbeat is older.
    ///   - databaseBytes: the size of the database, which the engine knows.
    package func read(silentBefore: Timestamp, databaseBytes: Int64) throws -> RegistryStatistics {
        func number(_ sql: String) throws -> Int64 { try db.integer(sql, []) ?? 0 }
        return RegistryStatistics(
            alertsWaiting: try number("SELECT count(*) FROM alert WHERE due IS NOT NULL"),
            listedBikes: try listedBikes(),
            missingListVersion: UInt64(clamping: try number("SELECT version FROM missing_list")),
            stations: try stations(silentBefore: silentBefore),
            // The sequence also counts rows that have since been deleted.
            sightingsStored: try number(db.dialect.lastKey(of: .sighting)),
            databaseBytes: databaseBytes, unreadableBeacons: try RotatingBeacons(db).unreadable()
        )
    }

    /// Entries of the list, without the canary, and rotating beacons.
    static let listedBikes = """
        SELECT (SELECT count(*) FROM missing_list_entry) - (
            SELECT count(*) FROM canary JOIN missing_list_entry ON missing_list_entry.beacon = canary.beacon
        ) + (SELECT count(*) FROM rotating_beacon WHERE listed_first IS NOT NULL)
        """

    /// The number of beacons on the missing list, without the canary.
    func listedBikes() throws -> Int { Int(clamping: try db.integer(Self.listedBikes, []) ?? 0) }

    /// Reads all stations; only operators can add any. The states are those of ``Station/State``.
    func stations(silentBefore: Timestamp) throws -> StationCounts {
        let sql = """
            SELECT count(*) FILTER (WHERE revoked IS NULL AND received >= ?1 AND deaf = 0) AS listening,
                count(*) FILTER (WHERE revoked IS NULL AND received >= ?1 AND deaf = 1) AS deaf,
                count(*) FILTER (WHERE revoked IS NULL AND received < ?1) AS silent,
                count(*) FILTER (WHERE revoked IS NULL AND received IS NULL) AS new,
                count(*) FILTER (WHERE revoked IS NOT NULL) AS revoked
            FROM station LEFT JOIN station_heartbeat ON station_heartbeat.station = station.key
            WHERE app = 0 AND partner IS NULL
            """
        guard let row = try db.row(sql, [silentBefore.milliseconds]) else { return StationCounts() }
        return StationCounts(
            listening: try row["listening"], deaf: try row["deaf"], silent: try row["silent"], new: try row["new"],
            revoked: try row["revoked"])
    }

    /// How many stations in use sent each version.
    static let versions = DialectText { dialect in
        let version =
            switch dialect {
            case .sqlite: "json_extract(CAST(heartbeat AS TEXT), '$.version')"
            case .postgresql: "CAST(convert_from(heartbeat, 'UTF8') AS json) ->> 'version'"
            }
        return """
            SELECT \(version) AS version, count(*) AS stations FROM station_heartbeat
            JOIN station ON station.key = station_heartbeat.station WHERE revoked IS NULL AND app = 0 GROUP BY 1
            """
    }

    /// The versions that the monitors of the stations in use sent last, each with the number of stations.
    func monitorVersions() throws -> [String: Int] {
        var versions: [String: Int] = [:]
        for row in try db.rows(Self.versions[db.dialect], []) {
            let (version, stations): (String, Int) = (try row["version"], try row["stations"])
            versions[version] = stations
        }
        return versions
    }
}
