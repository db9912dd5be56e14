/// How many sightings of how many stations are compared to judge one.
///
/// Usually these are each station's nearest 8 before a moment and nearest 8 after it. If they are more than ``limit``
/// together, those under quarantine do not count. If the others are still too many, fewer of each station count, and
/// with one of each, fewer stations. This registry's own stations come first: partners get the places that are left, and
/// each partner as many as any other. So however many stations and sightings of a bike are invented, one more costs a
/// bounded amount of work, and no partner takes the places of others.
struct NeighbourBounds {
    /// The most stations of this registry that count, those that were enrolled last.
    static let stationLimit = 256
    /// The most stations of one partner that count, those that were enrolled last. A partner can invent stations, but all
    /// of them are one witness. Fewer true ones hear a bike in a week.
    static let partnerStationLimit = 32
    /// How many times as many stations are looked at to find those that count. The others have heard the bike at other
    /// times, or are under quarantine.
    private static let search = 4
    /// The most sightings of one station before the moment, and the most after it.
    static let sideLimit = 8
    /// The most sightings that are compared. Without invented sightings, a bike has some dozens in a week.
    static let limit = 256

    /// A station that has reported the bike, and its sightings around a moment.
    struct Station {
        /// The key of the partner to which it belongs; 0 for a station of this registry.
        let partner: Int64
        /// The number of stations of the same registry that come before it and count.
        let place: Int
        /// The number of its sightings before the moment that are not under quarantine, at most ``sideLimit``.
        let before: Int
        /// The same after the moment.
        let after: Int
        /// The number of its sightings under quarantine, at most twice ``sideLimit``.
        let quarantined: Int
    }

    /// What counts of a registry's stations.
    struct Share {
        /// The number of places from the first one.
        let stations: Int
        /// The most sightings of each station before the moment, and the most after it.
        let perSide: Int
    }

    /// What counts of this registry's stations.
    let own: Share
    /// What counts of each partner's stations.
    let ofPartner: Share
    /// Whether sightings under quarantine are compared, too. They affect no others, but are judged by them.
    let countsQuarantined: Bool

    init(_ stations: [Station]) {
        let all = stations.reduce(0) { $0 + $1.before + $1.after + $1.quarantined }
        countsQuarantined = all <= Self.limit
        var rest = Self.limit
        own = Share(of: stations.filter { $0.partner == 0 }, within: &rest)
        ofPartner = Share(of: stations.filter { $0.partner != 0 }, within: &rest)
    }

    /// What counts of a partner's stations, or of this registry's own (0).
    func share(of partner: Int64) -> Share { partner == 0 ? own : ofPartner }

    /// The most stations of a partner, or of this registry (0), that count.
    static func stationLimit(of partner: Int64) -> Int { partner == 0 ? stationLimit : partnerStationLimit }

    /// The most stations that are looked at to find them.
    static func searchLimit(of partner: Int64) -> Int { search * stationLimit(of: partner) }
}

extension NeighbourBounds.Station {
    /// Reads a row of ``Neighbours/counts``.
    init(_ columns: inout ColumnReader) {
        self.init(
            partner: columns.integer(), place: Int(columns.integer()), before: Int(columns.integer()),
            after: Int(columns.integer()), quarantined: Int(columns.integer()))
    }

    /// The number of its sightings that are compared.
    fileprivate func compared(perSide: Int) -> Int { min(before, perSide) + min(after, perSide) }
}

extension NeighbourBounds.Share {
    /// As many sightings of each station as stay within the rest together, but at least one; then as many stations.
    ///
    /// - Parameter rest: how many sightings may still be compared, without these afterwards.
    fileprivate init(of stations: [NeighbourBounds.Station], within rest: inout Int) {
        func compared(perSide: Int) -> Int { stations.reduce(0) { $0 + $1.compared(perSide: perSide) } }
        perSide = (1...NeighbourBounds.sideLimit).last { [rest] in compared(perSide: $0) <= rest } ?? 1
        // Of each place, in the order of the places.
        var sums = Array(repeating: 0, count: (stations.map(\.place).max() ?? -1) + 1)
        for station in stations { sums[station.place] += station.compared(perSide: perSide) }
        var left = rest
        let counted = sums.prefix { sum in
            left -= sum
            return left >= 0
        }
        self.stations = counted.count
        rest -= counted.reduce(0, +)
    }
}

/// Statements that read the sightings around a moment, one for all stations. Their first parameters: the report's key,
/// the beginning, the first time after the moment, and the first time after the end.
///
/// They find nothing if only one station has reported the bike.
enum Neighbours {
    /// The stations as ``NeighbourBounds/Station``: a few index look-ups for each, however many sightings there are.
    static let counts = """
        \(stations(limit: limit(NeighbourBounds.stationLimit(of:)), quarantinedBefore: "?4"))
        SELECT partner, place, (\(count("?2", middle))), (\(count("?3", "heard.until"))),
            (\(count(distrusted, "?4", limit: 2 * NeighbourBounds.sideLimit)))
        FROM heard WHERE until IS NOT NULL
        """

    /// The sightings, as ``SightingJudgement/Judged/init(_:)`` reads them. More parameters: of this registry's stations
    /// the most sightings on each side, and of partners' stations; the number of places of this registry's stations, and
    /// of each partner's; and the time before which a quarantine must begin to count. SQLite has no LATERAL, and
    /// PostgreSQL would read the whole table for IN.
    static let rows = DialectText { dialect in
        let sightings =
            switch dialect {
            case .sqlite: "sighting ON sighting.key IN (\(nearest("key")))"
            case .postgresql: "LATERAL (\(nearest("*"))) AS sighting"
            }
        let places = "CASE WHEN partner = 0 THEN CAST(?7 AS BIGINT) ELSE CAST(?8 AS BIGINT) END"
        return """
            \(stations(limit: places, quarantinedBefore: "?9"))
            SELECT \(SightingJudgement.Judged.columns)
            FROM heard CROSS JOIN \(sightings) \(SightingJudgement.Judged.joins)
            WHERE heard.until IS NOT NULL
            """
    }

    /// The end of the times before the moment at which a station of `heard` is trusted.
    private static let middle = "CASE WHEN heard.until < ?3 THEN heard.until ELSE ?3 END"
    /// The beginning of the times around the moment at which it is not. Its quarantine may have begun long before.
    private static let distrusted = "CASE WHEN heard.until > ?2 THEN heard.until ELSE ?2 END"

    /// The number of a station's sightings from a time until before another, up to a limit.
    private static func count(
        of station: String = "heard.station", _ begin: String, _ end: String, limit: Int = NeighbourBounds.sideLimit
    ) -> String {
        """
        SELECT count(*) FROM (
            SELECT 1 AS one FROM sighting
            WHERE sighting.report = ?1 AND sighting.station = \(station)
                AND sighting.last_seen >= \(begin) AND sighting.last_seen < \(end)
            LIMIT \(limit)
        ) AS side
        """
    }

    /// The nearest sightings of a station of `heard` before the moment and after it.
    private static func nearest(_ columns: String) -> String {
        let shares = [("heard.partner = 0", "?5"), ("heard.partner <> 0", "?6")]
        let parts = shares.map { condition, limit in
            """
            SELECT \(columns) FROM (
                SELECT \(columns) FROM sighting AS near
                WHERE \(condition) AND near.report = ?1 AND near.station = heard.station
                    AND near.last_seen >= ?2 AND near.last_seen < \(middle)
                ORDER BY near.last_seen DESC LIMIT \(limit)
            ) AS earlier
            UNION ALL
            SELECT \(columns) FROM (
                SELECT \(columns) FROM sighting AS near
                WHERE \(condition) AND near.report = ?1 AND near.station = heard.station
                    AND near.last_seen >= ?3 AND near.last_seen < heard.until
                ORDER BY near.last_seen LIMIT \(limit)
            ) AS later
            """
        }
        return parts.joined(separator: "\nUNION ALL\n")
    }

    /// The table `heard` of the stations that have reported the bike: those of this registry (0), and then those of each
    /// partner. Of each registry, those that were enrolled last come first, so that those that a partner gets after a
    /// quarantine count. `until` is the end of the times at which a station is trusted.
    ///
    /// The table `walk` goes back from a registry's last station to the first one, and on to the next partner. To skip
    /// the stations of others, however many there are, each step first looks up the registry's station before the last
    /// one, and then the last station up to that one that has reported the bike. This may still be one of another
    /// registry: its `until` is NULL. A station takes a place if it has a trusted sighting between the beginning and the
    /// end. Without the plus, SQLite would not use the index of the registry's stations: an expression has no type there.
    ///
    /// - Parameters:
    ///   - places: the number of places of the registry `partner`.
    ///   - time: the time before which a quarantine must begin to count.
    private static func stations(limit places: String, quarantinedBefore time: String) -> String {
        let hasPlaces = "station IS NOT NULL AND place < \(places)"
        let goesOn = "\(hasPlaces) AND step < \(limit(NeighbourBounds.searchLimit(of:)))"
        return """
            WITH RECURSIVE walk (partner, station, place, step) AS (
                SELECT CAST(0 AS BIGINT), \(Int64.max), CAST(0 AS BIGINT), 0
                WHERE (SELECT min(station) FROM sighting WHERE report = ?1)
                    < (SELECT max(station) FROM sighting WHERE report = ?1)
                UNION ALL
                SELECT
                    CASE WHEN \(goesOn) THEN partner
                        ELSE (SELECT min(key) FROM partner WHERE partner.key > walk.partner) END,
                    CASE WHEN \(goesOn) THEN (
                            SELECT max(station) FROM sighting WHERE report = ?1 AND station <= (
                                SELECT max(key) FROM station
                                WHERE coalesce(station.partner, 0) = +walk.partner AND station.key < walk.station
                            )
                        ) ELSE \(Int64.max) END,
                    CASE WHEN \(goesOn)
                        THEN place + (\(count(of: "walk.station", "?2", until(quarantinedBefore: "?4"), limit: 1)))
                        ELSE 0 END,
                    CASE WHEN \(goesOn) THEN step + 1 ELSE 0 END
                FROM walk WHERE partner IS NOT NULL
            ), heard (partner, station, place, until) AS MATERIALIZED (
                SELECT partner, station, place, \(until(quarantinedBefore: time)) FROM walk WHERE \(hasPlaces)
            )
            """
    }

    /// The end of the times at which a station of `walk` is trusted.
    private static func until(quarantinedBefore time: String) -> String {
        """
        (
            SELECT CASE WHEN station.quarantined_since < \(time) THEN station.quarantined_since ELSE ?4 END
            FROM station WHERE station.key = walk.station AND coalesce(station.partner, 0) = walk.partner
        )
        """
    }

    /// A limit for the registry `partner`. All partners have the same, so any key stands for theirs.
    private static func limit(_ ofRegistry: (Int64) -> Int) -> String {
        "CASE WHEN partner = 0 THEN \(ofRegistry(0)) ELSE \(ofRegistry(1)) END"
    }
}
