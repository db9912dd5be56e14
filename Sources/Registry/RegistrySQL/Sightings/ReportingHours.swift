import RegistryAPI
import RegistryRules

/// Counts the different missing bikes that stations report in each hour, by the visits' own times. This is a value
/// type: the counts that a set's visits add are stored afterwards.
struct ReportingHours {
    /// One hour of one station; hours are numbered from the Unix epoch.
    struct Hour: Hashable {
        let station: Int64
        let number: Int64

        /// The hour in milliseconds.
        var times: ClosedRange<Int64> {
            let start = number * ReportingShare.window
            return start...start + ReportingShare.window - 1
        }
    }

    /// The missing bikes that a station has reported in an hour.
    struct Count: Hashable {
        var reports = 0
        /// Whether these are too many of all missing bikes (``ReportingShare``).
        var reportsEverything = false
        /// The number of reports that the set adds.
        var added = 0
    }

    /// An hour that is absent counts as one without reports.
    private(set) var counts: [Hour: Count]
    /// Whether a station has begun to report too many bikes.
    private(set) var hasFilled = false
    /// The number of missing bikes, at most ``ReportingShare/countedAtMost``; 0 if no count depends on it.
    private let missing: Int

    /// - Parameters:
    ///   - counts: what is stored. An hour that is absent counts as one without reports.
    ///   - missing: the number of missing bikes. It does not matter, and may be 0, while no hour gets more reports than
    ///     ``ReportingShare/fewest``, or each hour that does is marked already.
    init(_ counts: [Hour: Count] = [:], missing: Int = 0) {
        self.counts = counts
        self.missing = missing
    }
}

extension ReportingHours {
    /// Reads the counts of the hours in which parts of a set's visits are new. Hours without a row stay absent, and the
    /// missing bikes are counted only if an hour might get too many reports.
    init(_ db: any Transaction, of set: [VisitFacts]) throws {
        var added: [Hour: Int] = [:]
        for visit in set {
            for part in visit.parts where part.known == nil {
                added[part.hour, default: 0] += part.isCounted ? 1 : 0
            }
        }
        var given: Parameters = []
        for hour in added.keys { given.append(hour.station, hour.number) }
        var counts: [Hour: Count] = [:]
        try db.eachColumns(Self.stored, given) { columns in
            let hour = Hour(station: columns.integer(), number: columns.integer())
            counts[hour] = Count(reports: Int(columns.integer()), reportsEverything: columns.bool())
        }
        let dependsOnMissing = added.contains { hour, added in
            let count = counts[hour] ?? Count()
            return !count.reportsEverything && count.reports + added > ReportingShare.fewest
        }
        self.init(counts, missing: dependsOnMissing ? try Self.missing(db) : 0)
    }

    private static let stored = SetStatement(
        given: [("station", .integer), ("hour", .integer)],
        """
        SELECT station_hour.station, station_hour.hour, reports, reports_everything
        FROM given CROSS JOIN station_hour
        WHERE station_hour.station = given.station AND station_hour.hour = given.hour
        """)

    /// The number of missing bikes, counted up to ``ReportingShare/countedAtMost``.
    private static func missing(_ db: any Transaction) throws -> Int {
        let sql = """
            SELECT count(*)
            FROM (SELECT 1 FROM report WHERE closed IS NULL LIMIT \(ReportingShare.countedAtMost)) AS counted
            """
        return Int(try db.integer(sql, []) ?? 0)
    }

    /// Whether a station reports too many bikes in an hour, with those that ``isFirstTooMany(addedIn:)`` has added so far.
    func reportsEverything(in hour: Hour) -> Bool { counts[hour]?.reportsEverything ?? false }

    /// Counts a bike that the station did not report earlier in the hour. This changes ``counts``, and ``hasFilled`` if
    /// the bike is the first that is too many; the tables change in ``store(_:)`` and `markReportsEverything`.
    ///
    /// - Returns: whether this is the first bike that is too many.
    mutating func isFirstTooMany(addedIn hour: Hour) -> Bool {
        var count = counts[hour] ?? Count()
        count.reports += 1
        count.added += 1
        let isFirstTooMany =
            !count.reportsEverything && ReportingShare.isTooLarge(reports: count.reports, ofMissing: missing)
        if isFirstTooMany { (count.reportsEverything, hasFilled) = (true, true) }
        counts[hour] = count
        return isFirstTooMany
    }

    /// Stores the added counts.
    func store(_ db: any Transaction) throws {
        let added = counts.filter { $0.value.added > 0 }
        var given: Parameters = []
        for (hour, count) in added { given.append(hour.station, hour.number, count.added) }
        try db.run(Self.addition, given)
        for (hour, count) in added where count.reports == count.added { try hour.forgetOld(db) }
    }

    private static let addition = SetStatement(
        given: [("station", .integer), ("hour", .integer), ("reports", .integer)],
        """
        INSERT INTO station_hour (station, hour, reports) SELECT station, hour, reports FROM given WHERE TRUE
        ON CONFLICT (station, hour) DO UPDATE SET reports = station_hour.reports + excluded.reports
        """)
}

extension ReportingHours.Hour {
    init(station: Int64, of time: Timestamp) {
        self.init(station: station, number: time.milliseconds / ReportingShare.window)
    }

    /// Deletes the station's old hours. Visits are at most 30 days old, so hours older than twice that are not needed.
    fileprivate func forgetOld(_ db: any Transaction) throws {
        try db.run("DELETE FROM station_hour WHERE station = ? AND hour < ?", [station, number - 60 * 24])
    }

    /// Records that the station reports too many bikes in this hour, and begins to judge its sightings again.
    func markReportsEverything(_ db: any Transaction, at time: Timestamp) throws {
        try db.run(
            "UPDATE station_hour SET reports_everything = 1 WHERE station = ? AND hour = ?", [station, number])
        try StationJudgements(db).begin(station, since: times.lowerBound, at: time)
    }
}
