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
}

extension VisitFacts {
    /// Reads the facts of a set's visits, in their order.
    static func all(_ db: any Transaction, of set: ArraySlice<ReportedVisit>) throws -> [VisitFacts] {
        var facts = Array(repeating: VisitFacts(), count: set.count)
        var visits: Parameters = []
        var beacons: Parameters = []
        for (place, reported) in set.enumerated() {
            visits.append(place, reported.station.key, reported.visit.id)
            beacons.append(place, reported.visit.identity, reported.visit.firstSeen.milliseconds)
        }
        try db.eachRow(known, visits) { row in
            facts[try row["place"]].known.append(try KnownSighting(row))
        }
        // The bikes and reports of each visit.
        var bikes: [[MissingBike]] = Array(repeating: [], count: set.count)
        try db.eachColumns(MissingBike.ofBeacons, beacons) { columns in
            bikes[Int(columns.integer())].append(try MissingBike(&columns))
        }
        // What else must be read: reports that known sightings belong to, tests, and reports of the canary.
        var others: Parameters = []
        var tests: Parameters = []
        var unknown: Parameters = []
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
        return facts
    }

    private static let known = SetStatement(
        given: [("place", .integer), ("station", .integer), ("visit", .blob)],
        """
        SELECT given.place, sighting.*
        FROM given CROSS JOIN sighting WHERE sighting.station = given.station AND sighting.visit = given.visit
        """)
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
    /// The salt of the audit's commitment; nil for a sighting that was never recorded.
    let salt: [UInt8]?
    /// The index of the audit's entry that commits to it.
    let entry: Int64?
    /// What the entry commits to, if the visit has lasted longer since (``Growth/text``).
    let recorded: String?
    /// The time since which the visit has lasted longer; nil if it has not.
    let grown: Timestamp?
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

/// A bike with the report under which it was missing at a visit's time.
struct MissingBike {
    /// The bike's key.
    let key: Int64
    /// The report's key.
    let report: Int64
    let ownerID: OwnerID
    let bikeID: BikeID
    let reportID: ReportID
    /// The bike's appearance; nil unless its owner shares it.
    let appearance: BikeAppearance?
    /// The consent to show a photo to staff; nil unless there is one.
    var consent: StaffPhotoConsent?
    let period: OpenPeriod
    /// The slot that was heard; nil if the beacon does not rotate.
    var slot: HeardSlot?
    /// Whether its owner lets partners' stations search.
    let isShared: Bool
    /// The key of the announced sighting that was heard last (``SightingAnnouncement/isHeardLast``), whether it got an
    /// alert, went into a digest or joined an earlier alert. Nil if nothing was announced: then no earlier alerts are
    /// read (``AlertRules/History``).
    let toldLast: Int64?

    /// The maximum number of reports per visit. A visit that spans more closures belongs to the last of its reports.
    static let reportLimit = 8

    /// The reports of a beacon's bike under which it was missing at the time of a visit, the oldest first. There may be
    /// one more than ``reportLimit``: the first part begins where that report ends.
    ///
    /// - Parameter bikes: the bike once for each report, in any order, without reports that closed before the visit.
    static func missing(at visit: Visit, of bikes: [MissingBike]) -> [MissingBike] {
        let overlapping = bikes.filter { $0.period.overlaps(first: visit.firstSeen, last: visit.lastSeen) }
        guard overlapping.count > 1 else { return overlapping }
        // A bike has few reports; SQLite would take longer to sort them than to find them.
        return overlapping.sorted { $0.report < $1.report }.suffix(reportLimit + 1)
    }
}

extension MissingBike {
    private static let columns = """
        bike.key, report.key, owner.id, bike.id, report.id, owner.tells_appearance,
            bike.kind, bike.make, bike.model, bike.colours, report.missing_since, report.closed, report.sightings_until,
            report.told_last, report.only_here, \(StaffPhotos.consent)
        """

    /// The bikes with these beacons, each once for each report that did not close before a time.
    static let ofBeacons = SetStatement(
        given: [("place", .integer), ("beacon", .blob), ("first", .integer)],
        """
        SELECT given.place, \(columns), \(noSlot)
        FROM given CROSS JOIN bike JOIN report ON report.bike = bike.key JOIN owner ON owner.key = bike.owner
        WHERE bike.beacon = given.beacon AND \(isOpen) AND NOT \(isName)
        UNION ALL
        SELECT given.place, \(columns), rotating_slot.slot, rotating_beacon.lag, rotating_beacon.checked
        FROM given CROSS JOIN rotating_slot CROSS JOIN rotating_beacon CROSS JOIN bike
        JOIN report ON report.bike = bike.key JOIN owner ON owner.key = bike.owner
        WHERE rotating_slot.beacon = given.beacon AND rotating_beacon.key = rotating_slot.rotating
            AND bike.beacon = rotating_beacon.beacon AND \(isOpen)
        """)

    /// The condition that a report did not close before the visit began, and still has its sightings.
    private static let isOpen = "report.sightings_deleted IS NULL AND coalesce(report.closed >= given.first, TRUE)"
    /// No station can have heard the name of a rotating beacon.
    private static let isName = "EXISTS (SELECT 1 FROM rotating_beacon WHERE rotating_beacon.beacon = given.beacon)"
    /// The columns of a slot for a beacon that does not rotate.
    private static let noSlot = "CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT)"

    /// The bikes of these reports.
    static let ofReports = SetStatement(
        given: [("place", .integer), ("report", .integer)],
        """
        SELECT given.place, \(columns), \(noSlot)
        FROM given CROSS JOIN report JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner
        WHERE report.key = given.report
        """)

    /// Reads a row of ``ofBeacons`` or ``ofReports`` after its first column.
    init(_ columns: inout ColumnReader) throws {
        key = columns.integer()
        report = columns.integer()
        ownerID = try columns.id()
        bikeID = try columns.id()
        reportID = try columns.id()
        let sharesAppearance = columns.bool()
        let appearance = BikeAppearance(
            kind: try columns.choice(), make: columns.text(), model: columns.text(),
            colours: try BikeColour.colours(columns.text())
        )
        self.appearance = sharesAppearance ? appearance : nil
        period = OpenPeriod(
            missingSince: columns.timestamp(), closed: columns.optionalTimestamp(),
            sightingsUntil: columns.optionalTimestamp()
        )
        toldLast = columns.optionalInteger()
        isShared = !columns.bool()
        consent = try columns.optionalDigest().map { StaffPhotoConsent($0) }
        if let slot = columns.optionalInteger() {
            self.slot = HeardSlot(
                slot: slot, clock: BeaconClock(lag: columns.integer(), checked: columns.timestamp()))
        }
    }
}

/// A test of a beacon that was in progress when a visit was received.
struct RunningTest {
    /// Whether the owner has yet to prove that the beacon is theirs.
    let isProof: Bool
    /// The bike's key.
    let bike: Int64
    let bikeID: BikeID
    /// The owner's key.
    let owner: Int64
    let ownerID: OwnerID
    let begin: Timestamp
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
