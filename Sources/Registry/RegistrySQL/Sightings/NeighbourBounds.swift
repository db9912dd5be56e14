/// How many sightings of how many stations are compared to judge one.
///
/// Usually these are each station's nearest 8 before a moment and nearest 8 after it. If they are more than ``limit``
/// together, fewer of each station count. With one of each, the stations that exceed the limit do not count: so
/// however many sightings of a bike are invented, one more costs a bounded amount of work.
struct NeighbourBounds {
    /// The most stations that are counted, those with the smallest keys.
    static let stationLimit = 256
    /// The most sightings of one station before the moment, and the most after it.
    static let sideLimit = 8
    /// The most sightings that are compared. Without invented sightings, a bike has some dozens in a week.
    static let limit = 256

    /// A station's numbers of sightings before the moment and after it, each at most ``sideLimit``.
    typealias Count = (before: Int, after: Int)

    /// The most sightings of each station before the moment, and the most after it.
    let perSide: Int
    /// The number of the first stations that count.
    let stations: Int

    /// - Parameter counts: of each station, in the order of their keys.
    init(_ counts: [Count]) {
        func compared(_ count: Count, perSide: Int) -> Int { min(count.before, perSide) + min(count.after, perSide) }
        func comparedOfAll(perSide: Int) -> Int { counts.reduce(0) { $0 + compared($1, perSide: perSide) } }
        // As many of each station as stay within the limit together, but at least one.
        let most = (1...Self.sideLimit).last { comparedOfAll(perSide: $0) <= Self.limit } ?? 1
        var rest = Self.limit
        let counted = counts.prefix { count in
            rest -= compared(count, perSide: most)
            return rest >= 0
        }
        perSide = most
        stations = counted.count
    }
}

/// Statements that read the sightings around a moment, one for all stations. Their first parameters: the report's key,
/// the beginning, the moment, and the end.
enum Neighbours {
    /// The stations that have reported the bike, with their numbers of sightings before the moment and after it: a few
    /// index look-ups for each station, however many sightings there are.
    static let counts = """
        \(stations(while: ""))
        SELECT station, (\(count("BETWEEN ?2 AND ?3"))), (\(count("> ?3 AND sighting.last_seen <= ?4")))
        FROM teller WHERE station IS NOT NULL LIMIT \(NeighbourBounds.stationLimit)
        """

    private static func count(_ times: String) -> String {
        """
        SELECT count(*) FROM (
            SELECT 1 AS one FROM sighting
            WHERE sighting.report = ?1 AND sighting.station = teller.station AND sighting.last_seen \(times)
            LIMIT \(NeighbourBounds.sideLimit)
        ) AS side
        """
    }

    /// The sightings, as ``SightingJudgement/Judged/init(_:)`` reads them. More parameters: the most of each station on
    /// each side, and the last station. SQLite has no LATERAL, and PostgreSQL would read the whole table for IN.
    static let rows = DialectText { dialect in
        let sightings =
            switch dialect {
            case .sqlite: "sighting ON sighting.key IN (\(nearest("key")))"
            case .postgresql: "LATERAL (\(nearest("*"))) AS sighting"
            }
        return """
            \(stations(while: "AND station <= ?6"))
            SELECT \(SightingJudgement.Judged.columns)
            FROM teller CROSS JOIN \(sightings) \(SightingJudgement.Judged.joins)
            """
    }

    /// The nearest sightings of a station before the moment and after it.
    private static func nearest(_ columns: String) -> String {
        """
        SELECT \(columns) FROM (
            SELECT \(columns) FROM sighting AS near
            WHERE near.report = ?1 AND near.station = teller.station AND near.last_seen BETWEEN ?2 AND ?3
            ORDER BY near.last_seen DESC LIMIT ?5
        ) AS earlier
        UNION ALL
        SELECT \(columns) FROM (
            SELECT \(columns) FROM sighting AS near
            WHERE near.report = ?1 AND near.station = teller.station AND near.last_seen > ?3 AND near.last_seen <= ?4
            ORDER BY near.last_seen LIMIT ?5
        ) AS later
        """
    }

    /// The table `teller` of the stations that have reported the bike, in the order of their keys, with NULL after the
    /// last one: one index look-up for each.
    private static func stations(while condition: String) -> String {
        """
        WITH RECURSIVE teller (station) AS (
            SELECT min(station) FROM sighting WHERE report = ?1
            UNION ALL
            SELECT (SELECT min(station) FROM sighting WHERE report = ?1 AND station > teller.station \(condition))
            FROM teller WHERE teller.station IS NOT NULL
        )
        """
    }
}
