import Registry
import RegistryAPI

/// A bike with the report under which it was missing at a visit's time, and its owner's choices for alerts.
struct MissingBike {
    /// The keys of the owner and of the report.
    let owner: Int64
    let report: Int64
    let ownerID: OwnerID
    let bikeID: BikeID
    let reportID: ReportID
    /// The bike's appearance; nil unless its owner shares it.
    let appearance: BikeAppearance?
    private(set) var period: OpenPeriod
    /// The last sighting that was sent or that joined one that was sent.
    let toldLast: Int64?
    let zone: String?
    let quietHours: QuietHours?
    let hasChannels: Bool

    /// The maximum number of reports per visit. A visit that spans more closures belongs to the last of its reports.
    private static let reportLimit = 8

    /// The bike with this beacon, once for each report under which it was missing at a visit's time, the oldest first.
    static func all(_ db: any Transaction, at visit: Visit) throws -> [MissingBike] {
        var bikes: [MissingBike] = []
        // A bike has few reports; SQLite would take longer to sort them than to find them. A report that closed before
        // the visit does not count.
        try db.eachColumns(ofBeacon, [visit.identity, visit.firstSeen.milliseconds]) {
            bikes.append(try MissingBike(&$0))
        }
        if bikes.count > 1 {
            bikes.sort { $0.report < $1.report }
            for index in bikes.indices.dropFirst() {
                bikes[index].period.previousClosed = bikes[index - 1].period.closed
            }
        }
        return bikes.filter { $0.period.overlaps(first: visit.firstSeen, last: visit.lastSeen) }.suffix(reportLimit)
    }

    /// The bike of a report.
    init(_ db: any Transaction, ofReport key: Int64) throws {
        let bike = try db.firstColumns(Self.ofReport, [key]) { try MissingBike(&$0) }
        guard let bike else { throw CorruptRow(column: "report") }
        self = bike
    }

    private static let query = """
        SELECT bike.owner, report.key, owner.id, bike.id, report.id, owner.tells_appearance,
            bike.kind, bike.make, bike.model, bike.colours, report.missing_since, report.closed, report.sightings_until,
            report.told_last, owner.zone, owner.quiet_from, owner.quiet_to,
            EXISTS (
                SELECT 1 FROM channel WHERE owner = bike.owner AND removed IS NULL AND verified IS NOT NULL
            )
        FROM bike JOIN report ON report.bike = bike.key JOIN owner ON owner.key = bike.owner

        """

    private static let ofBeacon =
        query + "WHERE bike.beacon = ? AND report.sightings_deleted IS NULL AND coalesce(report.closed >= ?, TRUE)"
    private static let ofReport = query + "WHERE report.key = ?"

    private init(_ columns: inout ColumnReader) throws {
        owner = columns.integer()
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
        zone = columns.optionalText()
        quietHours = QuietHours(from: columns.optionalInteger(), to: columns.optionalInteger())
        hasChannels = columns.bool()
    }
}
