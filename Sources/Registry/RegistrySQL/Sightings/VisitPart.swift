import RegistryAPI
import RegistryRules

/// The part of a visit that belongs to one report.
struct VisitPart {
    let visit: Visit
    let bike: MissingBike
    /// The sighting that the visit became before under this report.
    let known: KnownSighting?
    /// Whether it causes alerts if it is new. Only the last part does, so that a visit causes at most one for each
    /// channel.
    let causesAlerts: Bool
    /// The hour of its station in which it begins.
    let hour: ReportingHours.Hour
    /// The sightings around it, if it is new.
    var surroundings = Surroundings()

    /// Whether it may count in its hour, if it is new.
    var isCounted: Bool { causesAlerts && !surroundings.wasHeard }

    /// Whether other sightings matter for its judgement, if it is new: sightings of a rotating beacon by one station judge
    /// each other, too.
    var isJudgedByOthers: Bool { surroundings.hasOtherStations || bike.slot != nil }

    /// The first of the stays that the visit continues; nil if there is none.
    var continues: StayID? {
        guard known == nil else { return known?.continues }
        return surroundings.continued.flatMap { $0.stay == visit.stay ? nil : $0.stay }
    }
}

extension VisitPart {
    /// The parts of a visit, the oldest report first: each moment of the visit belongs to the newest report that covers it
    /// (``OpenPeriod/parts(of:among:)``).
    ///
    /// - Parameter bikes: the bike with the visit's beacon, once for each report under which it was missing at the
    ///   visit's time, and once for each known sighting.
    static func parts(
        of reported: ReportedVisit, among bikes: [MissingBike], _ sightings: [KnownSighting]
    ) -> [VisitPart] {
        func known(_ bike: MissingBike) -> KnownSighting? { sightings.first { $0.report == bike.report } }
        func claim(_ bike: MissingBike) -> OpenPeriod.Claim { (bike.period, known(bike) != nil) }
        func part(_ visit: Visit, _ bike: MissingBike, isLast: Bool) -> VisitPart {
            VisitPart(
                visit: visit, bike: bike, known: known(bike), causesAlerts: isLast,
                hour: ReportingHours.Hour(station: reported.station.key, of: visit.firstSeen))
        }
        // Nearly every bike has one report. It gets at most one part, and there is nothing to sort.
        if bikes.count == 1 {
            return OpenPeriod.parts(of: reported.visit, among: [claim(bikes[0])])
                .map { part($0.visit, bikes[0], isLast: true) }
        }
        let bikes = bikes.sorted { $0.report < $1.report }
        let isOneBike = bikes.allSatisfy { $0.key == bikes[0].key }
        // After a beacon has moved, a known sighting belongs to another bike.
        let groups = isOneBike ? [bikes] : Array(Dictionary(grouping: bikes, by: \.key).values)
        let parts = groups.flatMap { bikes in
            OpenPeriod.parts(of: reported.visit, among: bikes.map(claim))
                .map { (bike: bikes[$0.index], visit: $0.visit) }
        }
        .sorted { $0.bike.report < $1.bike.report }.suffix(MissingBike.reportLimit)
        return parts.map { part($0.visit, $0.bike, isLast: $0.bike.report == parts.last?.bike.report) }
    }
}

/// The sightings of a report around a new visit.
struct Surroundings {
    /// The key of the first sighting that the station reported of the same stay; nil if there is none.
    var stay: Int64?
    /// The key of the first sighting of an earlier stay that this one continues under another identity, and the first
    /// stay of the chain; nil if there is none.
    var continued: (thread: Int64, stay: StayID)?
    /// The key of the first sighting of the thread that the visit joins; nil if it begins one. A thread is the sightings
    /// that share their alerts. Sightings of one stay always do; ``SightingAnnouncement`` may add others of about the same
    /// place and time.
    var thread: Int64? { stay ?? continued?.thread }
    /// Whether other stations have reported the bike.
    var hasOtherStations = false
    /// Whether the station reported the bike earlier in this hour.
    var wasHeard = false
    /// The number of the report's next change.
    var revision: Int64 = 1
}

extension Surroundings {
    /// Reads the surroundings of new sightings.
    static func read(_ db: any Transaction, into facts: inout [VisitFacts]) throws {
        var given: Parameters = []
        var places: [(visit: Int, part: Int)] = []
        for visit in facts.indices {
            for (index, part) in facts[visit].parts.enumerated() where part.known == nil {
                given.append(
                    places.count, part.bike.report, part.hour.station, part.visit.stay, part.hour.times.lowerBound,
                    part.hour.times.upperBound, part.visit.firstSeen.milliseconds, part.bike.slot?.slot)
                places.append((visit, index))
            }
        }
        try db.eachColumns(query, given) { columns in
            let place = places[Int(columns.integer())]
            var surroundings = Surroundings(
                stay: columns.optionalInteger(), hasOtherStations: columns.bool(), wasHeard: columns.bool(),
                revision: columns.integer())
            let continued = columns.optionalInteger()
            if let continued { surroundings.continued = (thread: continued, stay: try columns.id()) }
            facts[place.visit].parts[place.part].surroundings = surroundings
        }
    }

    /// A value of the earlier visit that a visit continues: of the same beacon at the same station.
    private static func continued(_ value: String) -> String {
        """
        CASE WHEN given.slot IS NOT NULL THEN (
                SELECT \(value) FROM sighting
                WHERE sighting.report = given.report AND sighting.station = given.station
                    AND last_seen >= given.first - \(Int64(RotationRules.longestPause / .milliseconds(1)))
                    AND first_seen <= given.first AND slot <> given.slot
                ORDER BY last_seen DESC, key DESC LIMIT 1
            ) END
        """
    }

    private static let query = SetStatement(
        given: [
            ("place", .integer), ("report", .integer), ("station", .integer), ("stay", .blob), ("hour", .integer),
            ("hour_end", .integer), ("first", .integer), ("slot", .integer),
        ],
        """
        SELECT
            given.place,
            -- The plus keeps SQLite to the index of stays; by report and station it would read all earlier sightings.
            (
                SELECT coalesce(thread, key) FROM sighting
                WHERE sighting.station = given.station AND sighting.stay = given.stay
                    AND +sighting.report = given.report
                ORDER BY key LIMIT 1
            ),
            EXISTS (SELECT 1 FROM sighting WHERE sighting.report = given.report AND sighting.station < given.station)
                OR EXISTS (
                    SELECT 1 FROM sighting WHERE sighting.report = given.report AND sighting.station > given.station
                ),
            EXISTS (
                SELECT 1 FROM sighting
                WHERE sighting.report = given.report AND sighting.station = given.station
                    AND last_seen >= given.hour AND first_seen BETWEEN given.hour AND given.hour_end
            ),
            (SELECT coalesce(max(revision), 0) + 1 FROM sighting WHERE sighting.report = given.report),
            \(continued("coalesce(thread, key)")),
            \(continued("coalesce(continues, stay)"))
        FROM given
        """)
}
