import RegistryAPI
import RegistryRules

/// A bike with the report under which it was missing at a visit's time.
struct MissingBike {
    /// The keys of the bike and of the report.
    let key: Int64
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
    /// The last sighting that was announced, or that joined an announced one.
    let toldLast: Int64?

    /// The maximum number of reports per visit. A visit that spans more closures belongs to the last of its reports.
    static let reportLimit = 8

    /// The reports of a beacon's bike under which it was missing at the time of a visit, the oldest first. There may be
    /// one more than ``reportLimit``: the first part begins where that report ends.
    ///
    /// - Parameter bikes: the bike once for each report, in any order, without reports that closed before the visit.
    static func missing(at visit: Visit, of bikes: [MissingBike]) -> [MissingBike] {
        // A bike has few reports; SQLite would take longer to sort them than to find them.
        bikes.sorted { $0.report < $1.report }
            .filter { $0.period.overlaps(first: visit.firstSeen, last: visit.lastSeen) }.suffix(reportLimit + 1)
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

    private static let isOpen = "report.sightings_deleted IS NULL AND coalesce(report.closed >= given.first, TRUE)"
    /// No station can have heard the name of a rotating beacon.
    private static let isName = "EXISTS (SELECT 1 FROM rotating_beacon WHERE rotating_beacon.beacon = given.beacon)"
    private static let noSlot = "CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT)"

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
        let isTold = columns.bool()
        let appearance = BikeAppearance(
            kind: try columns.choice(), make: columns.text(), model: columns.text(),
            colours: try BikeColour.colours(columns.text())
        )
        self.appearance = isTold ? appearance : nil
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
