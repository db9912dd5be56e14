import Evidence
import RegistryAPI
import RegistryRules

/// Reads when stations near a search listened for its beacon and had not reported it.
struct SearchCoverage {
    let db: any Transaction
    /// The key of the report.
    let report: Int64

    /// The stations near the search with the spans of time in which they listened and did not hear the beacon.
    ///
    /// - Parameters:
    ///   - heard: the places where the beacon was heard, the latest first.
    ///   - limit: the maximum number of spans; the newest if there are more.
    /// - Returns: also the number of days, over all stations, that are left out because their rows are damaged.
    func content(
        heard: [Place], limit: Int, at time: Timestamp
    ) throws -> (coverage: EvidenceCoverage, damaged: Int) {
        guard let row = try db.row("SELECT * FROM report WHERE key = ?", [report]),
            // Once the sightings are deleted, it is no longer known when the beacon was heard.
            !row.hasNonNull("sightings_deleted"), let since = try row.optionalTimestamp("listed_since")
        else { return (.none, 0) }
        let ends = [try row.optionalTimestamp("closed"), try row.optionalTimestamp("sightings_until"), time]
        let end = ends.compactMap(\.self).min() ?? time
        let begin = max(since, time.advanced(by: .zero - CoverageRules.retention))
        guard begin < end else { return (.none, 0) }
        let areas = NearStations.areas(lastPlace: try row.place(), heard: heard)
        let near = try candidates(near: areas, from: begin, to: end)
        let chosen = NearStations.choose(near.mapValues(\.area), near: areas)
        var damaged = 0
        let stations = try chosen.compactMap { id, area -> ListeningStation? in
            guard let station = near[id] else { return nil }
            let found = try spans(of: station, during: begin..<end)
            damaged += found.damaged
            return found.spans.isEmpty ? nil : ListeningStation(id: id, area: area, spans: found.spans)
        }
        let all = EvidenceCoverage(
            from: begin, until: end, stations: stations, allSpans: stations.reduce(0) { $0 + $1.spans.count })
        return (all.newest(limit), damaged)
    }

    /// A station near the search.
    private struct Candidate {
        /// The station's key.
        let key: Int64
        let area: CoverageArea
        /// Since when it has been in this place.
        let placed: Timestamp
    }

    /// The stations that are trusted and stay in one place now, and whose coverage of the period is known.
    static let candidates = """
        SELECT station.key, station.id, station.enrolled, stands.since, stands.latitude,
            stands.longitude, stands.accuracy
        FROM station_place AS stands JOIN station ON station.key = stands.station
        WHERE stands.latitude BETWEEN ?1 AND ?2 AND stands.longitude BETWEEN ?3 AND ?4
            AND station.mobile = 0 AND station.app = 0 AND station.revoked IS NULL
            AND stands.since = (SELECT max(since) FROM station_place WHERE station = stands.station)
            AND EXISTS (
                SELECT 1 FROM station_coverage WHERE station_coverage.station = stands.station AND day BETWEEN ?5 AND ?6
            )
        """

    /// The stations near places, which listened in a period.
    private func candidates(
        near areas: [CoverageArea], from begin: Timestamp, to end: Timestamp
    ) throws -> [StationID: Candidate] {
        var candidates: [StationID: Candidate] = [:]
        for area in areas {
            let (latitudes, longitudes) = NearStations.degrees(around: area)
            let rows = try db.rows(
                Self.candidates,
                [
                    latitudes.lowerBound, latitudes.upperBound, longitudes.lowerBound, longitudes.upperBound,
                    CalendarDate(begin).day, CalendarDate(end).day,
                ]
            )
            for row in rows {
                guard let place = try row.place() else { throw CorruptRow(column: "latitude") }
                candidates[try row.id("id")] = Candidate(
                    key: try row["key"], area: CoverageArea(of: place),
                    placed: max(try row.timestamp("since"), try row.timestamp("enrolled"))
                )
            }
        }
        return candidates
    }

    /// The spans in which a station listened and did not hear the beacon, and the number of damaged days.
    private func spans(
        of station: Candidate, during period: Range<Timestamp>
    ) throws -> (spans: [ListeningSpan], damaged: Int) {
        let sql = "SELECT first_seen, last_seen FROM sighting WHERE report = ? AND station = ?"
        let heard = try db.rows(sql, [report, station.key]).map {
            (first: try $0.timestamp("first_seen"), last: try $0.timestamp("last_seen"))
        }
        let (quarters, damaged) = try Coverage(db).quarters(
            of: station.key, from: CalendarDate(period.lowerBound), to: CalendarDate(period.upperBound))
        let spans = ListeningRules(listed: period, heard: heard).spans(quarters.filter { $0.begins >= station.placed })
        return (spans, damaged)
    }
}
