import Beacons
import Foundation
import RegistryAPI
import RegistryRules

/// What is stored about a visit of a set before it is recorded.
struct VisitFacts {
    /// The sightings that the visit became before, at most one for each report.
    var known: [KnownSighting] = []
    /// For the identity on the missing list that no beacon has: whether the station has reported it before. Nil for
    /// another beacon.
    var isRepeatedCanary: Bool?
    /// The test of the beacon that is in progress, for a beacon without a report.
    var test: RunningTest?
    /// The visit, cut into a part for each report under which its bike was missing, the oldest report first.
    var parts: [VisitPart] = []

    /// Whether no two parts of a set's visits belong to one report.
    static func haveDifferentReports(_ set: [VisitFacts]) -> Bool {
        var reports: Set<Int64> = []
        return set.allSatisfy { $0.parts.allSatisfy { reports.insert($0.bike.report).inserted } }
    }
}

/// A stored sighting of a visit that its station reports again.
struct KnownSighting {
    let key: Int64
    /// The report's key.
    let report: Int64
    let visit: Visit
    /// The first of the stays that it continues; nil if there is none.
    let continues: StayID?
    /// The slot of a rotating beacon that was heard; nil for another beacon.
    let slot: Int64?
    let received: Timestamp
    let salt: [UInt8]?
    /// The index of the audit's entry that commits to it.
    let entry: Int64?
    /// What the entry commits to, if the visit has lasted longer since (``Growth/text``).
    let recorded: String?
    /// The time since which the visit has lasted longer; nil if it has not.
    let grown: Timestamp?
}

/// A test of a beacon that was in progress when a visit was received.
struct RunningTest {
    /// Whether the owner has yet to prove that the beacon is theirs.
    let isProof: Bool
    let bike: Int64
    let bikeID: BikeID
    let owner: Int64
    let ownerID: OwnerID
    let begin: Timestamp
}

/// The sightings of a report around a new visit.
struct Surroundings {
    /// The first sighting that the station reported of the same stay; nil if there is none.
    var stay: Int64?
    /// The first sighting of an earlier stay that this one continues under another identity, and the first stay of the
    /// chain; nil if there is none.
    var continued: (thread: Int64, stay: StayID)?
    /// The first sighting of the thread that the visit joins; nil if it begins one.
    var thread: Int64? { stay ?? continued?.thread }
    /// Whether other stations have reported the bike.
    var hasOtherStations = false
    /// Whether the station reported the bike earlier in this hour.
    var wasHeard = false
    /// The number of the report's next change.
    var revision: Int64 = 1
}

extension VisitFacts {
    /// Reads the facts of a set's visits, in their order.
    static func all(_ db: any Transaction, of set: ArraySlice<ReportedVisit>) throws -> [VisitFacts] {
        var facts = Array(repeating: VisitFacts(), count: set.count)
        var (visits, beacons): (Parameters, Parameters) = ([], [])
        for (place, reported) in set.enumerated() {
            visits.append(place, reported.station.key, reported.visit.id)
            beacons.append(place, reported.visit.identity, reported.visit.firstSeen.milliseconds)
        }
        try db.eachRow(known, visits) { row in
            facts[try row["place"]].known.append(try KnownSighting(row))
        }
        var bikes: [[MissingBike]] = Array(repeating: [], count: set.count)
        try db.eachColumns(MissingBike.ofBeacons, beacons) { columns in
            bikes[Int(columns.integer())].append(try MissingBike(&columns))
        }
        var (others, tests, unknown): (Parameters, Parameters, Parameters) = ([], [], [])
        for (place, reported) in set.enumerated() {
            bikes[place] = MissingBike.missing(at: reported.visit, of: bikes[place])
            if reported.station.isForeign { bikes[place].removeAll { !$0.isShared } }
            // After a station's clock is set, the times may differ; or the beacon may have moved to another bike.
            for sighting in facts[place].known where !bikes[place].contains(where: { $0.report == sighting.report }) {
                others.append(place, sighting.report)
            }
            if bikes[place].isEmpty, facts[place].known.isEmpty, reported.station.isOwn {
                tests.append(place, reported.visit.identity, reported.time.milliseconds)
                unknown.append(place, reported.visit.identity, reported.station.key)
            }
        }
        try db.eachColumns(MissingBike.ofReports, others) { columns in
            bikes[Int(columns.integer())].append(try MissingBike(&columns))
        }
        try db.eachColumns(RunningTest.query, tests) { columns in
            facts[Int(columns.integer())].test = try RunningTest(&columns)
        }
        try db.eachColumns(Canaries.reported, unknown) { columns in
            facts[Int(columns.integer())].isRepeatedCanary = columns.bool()
        }
        for (place, reported) in set.enumerated() {
            facts[place].parts = VisitPart.parts(of: reported, among: bikes[place], facts[place].known)
        }
        try Surroundings.read(db, into: &facts)
        try AlertChannel.read(db, into: &facts)
        return facts
    }

    private static let known = SetStatement(
        given: [("place", .integer), ("station", .integer), ("visit", .blob)],
        """
        SELECT given.place, sighting.*
        FROM given CROSS JOIN sighting WHERE sighting.station = given.station AND sighting.visit = given.visit
        """)
}

extension KnownSighting {
    /// Reads a row with all columns of a sighting.
    init(_ row: StoredRow) throws {
        key = try row["key"]
        report = try row["report"]
        visit = try Visit(row)
        continues = row.hasNonNull("continues") ? try row.id("continues") : nil
        slot = try row["slot"]
        received = try row.timestamp("received")
        salt = (try row["salt"] as Data?).map { [UInt8]($0) }
        entry = try row["entry"]
        recorded = try row["recorded"]
        grown = try row.optionalTimestamp("grown")
    }
}

extension RunningTest {
    fileprivate static let query = SetStatement(
        given: [("place", .integer), ("beacon", .blob), ("time", .integer)],
        """
        SELECT given.place, beacon_claim.bike IS NOT NULL, bike.key, bike.id, bike.owner, owner.id,
            coalesce(test_ends, tested_until)
        FROM given CROSS JOIN bike JOIN identity ON identity.beacon = bike.beacon
        JOIN owner ON owner.key = bike.owner LEFT JOIN beacon_claim ON beacon_claim.bike = bike.key
        WHERE bike.beacon = given.beacon AND (test_ends > given.time OR tested_until > given.time)
        """)

    fileprivate init(_ columns: inout ColumnReader) throws {
        isProof = columns.bool()
        bike = columns.integer()
        bikeID = try columns.id()
        owner = columns.integer()
        ownerID = try columns.id()
        begin = columns.timestamp().advanced(by: .zero - BeaconTest.length)
    }
}

extension Surroundings {
    /// Reads the surroundings of new sightings.
    fileprivate static func read(_ db: any Transaction, into facts: inout [VisitFacts]) throws {
        var (given, places): (Parameters, [(visit: Int, part: Int)]) = ([], [])
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
