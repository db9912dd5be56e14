package import RegistryAPI
import RegistryRules

/// Stations on a map.
package struct StationMarks {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The stations that are not revoked, in the order of their enrolment, without the app’s and those of partners.
    ///
    /// - Parameters:
    ///   - silentBefore: a station counts as silent if its last heartbeat is older.
    ///   - most: the maximum number of stations.
    package func map(silentBefore: Timestamp, most: Int = StationMap.most) throws -> StationMap {
        let sql = """
            SELECT station.id, name, latitude, longitude, received, deaf FROM station
            JOIN station_place AS stands ON stands.station = station.key
                AND stands.since = (SELECT max(since) FROM station_place WHERE station = station.key)
            LEFT JOIN station_heartbeat ON station_heartbeat.station = station.key
            WHERE revoked IS NULL AND app = 0 AND partner IS NULL ORDER BY station.id LIMIT ?
            """
        var marks: [StationMap.Mark] = []
        // There may be thousands of rows: looking up each column's name would take most of the time.
        try db.eachColumns(sql, [most + 1]) { columns in
            let (id, name) = (try columns.id() as StationID, columns.text())
            guard let latitude = columns.optionalDouble(), let longitude = columns.optionalDouble() else { return }
            let heartbeat = columns.optionalTimestamp()
            let state = Station.State(
                heartbeat: heartbeat, isDeaf: columns.optionalInteger() == 1, silentBefore: silentBefore)
            marks.append(
                StationMap.Mark(
                    id: id, name: name, latitude: latitude, longitude: longitude, state: state, heartbeat: heartbeat))
        }
        return StationMap(stations: Array(marks.prefix(most)), more: marks.count > most)
    }
}
