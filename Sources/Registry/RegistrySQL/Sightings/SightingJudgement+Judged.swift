import RegistryAPI
import RegistryRules

extension SightingJudgement {
    /// A stored sighting with the facts that decide its judgement.
    struct Judged {
        let key: Int64
        /// The station's key.
        let station: Int64
        /// The key of the partner to which the station belongs; 0 for a station of this registry.
        let partner: Int64
        /// The stored reasons.
        let bits: Int64
        let evidence: SightingEvidence
        /// The sighting's evidence about its rotating beacon's clock; nil if the beacon does not rotate.
        let slot: SlotSighting?

        /// How far apart events may be that affect each other, in milliseconds.
        private static let horizon = Int64(Plausibility.horizon / .milliseconds(1))

        /// From its first to its last moment.
        var span: ClosedRange<Int64> {
            let first = evidence.firstSeen.milliseconds
            return first...max(first, evidence.lastSeen.milliseconds)
        }

        /// Whether events in the span can affect its judgement.
        func isNear(_ span: ClosedRange<Int64>) -> Bool {
            evidence.lastSeen.milliseconds >= span.lowerBound - Self.horizon
                && evidence.firstSeen.milliseconds <= span.upperBound + Self.horizon
        }

        /// Whether the whole sighting is in the period.
        func lies(within period: CompletePeriod) -> Bool {
            period.lower <= evidence.firstSeen.milliseconds && evidence.lastSeen.milliseconds <= period.upper
        }
    }
}

extension SightingJudgement.Judged {
    /// What ``init(_:)`` reads.
    static let columns = """
        sighting.key, sighting.station, sighting.reasons, sighting.slot, sighting.dismissed IS NOT NULL,
        sighting.visit, sighting.first_seen, sighting.last_seen, sighting.time_uncertain, sighting.answer,
        sighting.latitude, sighting.longitude, sighting.accuracy,
        station.id, station.partner, station.venue, station.mobile, station.app, station.quarantined_since,
        stood.latitude, stood.longitude, stood.accuracy, hour.reports_everything
        """

    /// Joins a sighting to its station, its place, and its hour.
    static let joins = """
        \(Sighting.joins)
        LEFT JOIN station_hour AS hour
            ON hour.station = sighting.station AND hour.hour = sighting.first_seen / \(ReportingShare.window)
        """

    /// Sightings as ``init(_:)`` reads them.
    static let query = "SELECT \(columns) FROM sighting \(joins)\n"

    /// Reads a row of ``columns``, which must be read in their order.
    init(_ columns: inout ColumnReader) throws {
        let key = columns.integer()
        let station = columns.integer()
        let bits = columns.integer()
        let slot = columns.optionalInteger()
        var marks: SightingEvidence.Marks = []
        if columns.bool() { marks.insert(.dismissed) }
        let visit: VisitID = try columns.id()
        let first = columns.timestamp()
        let last = columns.timestamp()
        let isUncertain = columns.bool()
        let answer = columns.optionalText().flatMap(VisitConfirmation.Answer.init(rawValue:))
        let reportedPlace = try columns.place()
        let stationID: StationID = try columns.id()
        let partner = columns.optionalInteger() ?? 0
        let venue = columns.text()
        let isMobile = columns.bool()
        if columns.bool() { marks.insert(.unverified) }
        if let since = columns.optionalTimestamp(), last >= since { marks.insert(.quarantined) }
        guard let enrolledPlace = try columns.place() else { throw CorruptRow(column: "station_latitude") }
        // The counts of old hours are deleted; the doubt stays.
        let didReportEverything = bits & SightingReason.bits([.reportsEverything]) != 0
        let hourReportsEverything = columns.optionalInteger().map { $0 != 0 }
        if hourReportsEverything ?? didReportEverything { marks.insert(.reportsEverything) }
        let evidence = SightingEvidence(
            visit: visit, firstSeen: first, lastSeen: last, timeUncertain: isUncertain, answer: answer,
            saying: reportedPlace, at: stationID, venue: venue, standing: enrolledPlace, isMobile: isMobile,
            marks: marks)
        self.init(
            key: key, station: station, partner: partner, bits: bits, evidence: evidence,
            slot: slot.map(evidence.slotSighting))
    }
}
