public import RegistryAPI

/// The result of recording a visit.
public enum RecordedVisit: Hashable, Sendable {
    case stored(StoredVisit)
    /// No bike with this identity was missing at the visit's time.
    case ignored
    /// No bike was missing, but a test was in progress and has now succeeded: the owner has proved that the beacon is
    /// theirs.
    case proved
    /// The identity is the one on the missing list that no beacon has: the station has not heard it.
    case canary
    /// The station has sent this visit before with a different value in this field.
    case contradicts(field: String)
}

/// A visit that was stored on disk as a sighting.
public struct StoredVisit: Hashable, Sendable {
    /// The appearance of the bike; nil if its owner does not want it shown.
    public var appearance: BikeAppearance?
    public var report: ReportID
    /// Whether the visit was stored for the first time.
    public var isNew: Bool
    /// The number of alerts that were queued with it, including those about other sightings that it affects.
    public var alerts: Int
    /// Whether the bike is still missing; if not, the station learns nothing.
    public var isMissing: Bool
    /// Other reports whose sightings changed with it: a visit may belong to several reports, and a station that reports
    /// too many bikes loses trust in all of them.
    public var otherReports: Set<ReportID>
    /// The first stay of those that the visit goes on with under other identities of its beacon; nil if there is none.
    public var continues: StayID?

    public init(
        appearance: BikeAppearance?, report: ReportID, isNew: Bool, alerts: Int, isMissing: Bool = true,
        otherReports: Set<ReportID> = [], continues: StayID? = nil
    ) {
        self.continues = continues
        self.isMissing = isMissing
        self.otherReports = otherReports
        self.appearance = appearance
        self.report = report
        self.isNew = isNew
        self.alerts = alerts
    }
}

/// The sightings of missing bikes.
public protocol SightingStore: Sendable {
    /// Records visits from one station in one transaction, each separately, in the order given.
    ///
    /// Only the part of a visit in a report’s period is stored (``OpenPeriod/parts(of:among:)``). A visit is identified by
    /// the station and its identifier. A visit that was stored before is merged (``VisitObservation/merged(with:)``).
    /// A new visit is stored if its bike was missing (``OpenPeriod``), as one part per report; with the last part, the
    /// owner's alerts are queued (``AlertRules``): at most one for each of the owner's channels. After each change, the
    /// sightings around it are judged again (``Plausibility``), and alerts about changed levels are queued.
    func record(
        _ visits: [Visit], by station: StationID, at time: Timestamp, using entropy: Entropy
    ) async throws -> [RecordedVisit]

    /// The sightings of a report in the order in which they were first stored.
    ///
    /// - Throws: `notFound` if this owner has no such report on this bike.
    func sightings(
        of report: ReportPath, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64>

    /// The sightings of a report in the order of their latest change, after a revision. Each change gives a sighting
    /// the next revision of its report. For a revision that the report has not reached, all sightings are returned:
    /// the caller saw it before the database was restored from an older copy.
    ///
    /// - Throws: `notFound` if this owner has no such report on this bike.
    func sightingChanges(
        of report: ReportPath, after revision: Int64, limit: Int
    ) async throws -> [SightingChange]

    /// Marks a sighting as known to be wrong: no further alerts are sent about it. While the report is open, the first
    /// dismissal in each hour is announced to the owner on all channels. Dismissing again changes nothing.
    ///
    /// - Throws: `notFound`.
    func dismissSighting(
        _ id: VisitID, of report: ReportID, on bike: BikeID, by act: OwnerAct
    ) async throws -> Sighting

    /// Records that somebody has read an alert about a sighting: channels that wait for an acknowledgement get neither
    /// this sighting nor an earlier one of the report. Acknowledging again changes nothing.
    ///
    /// - Throws: `notFound`.
    func acknowledgeSighting(
        _ id: VisitID, of report: ReportPath, at time: Timestamp
    ) async throws -> Sighting
}

/// The state of a sighting after one revision.
public struct SightingChange: Hashable, Sendable {
    public var revision: Int64
    public var sighting: Sighting

    public init(revision: Int64, sighting: Sighting) {
        self.revision = revision
        self.sighting = sighting
    }
}
