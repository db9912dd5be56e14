public import RegistryAPI

/// What the store made of a visit.
public enum RecordedVisit: Hashable, Sendable {
    case stored(StoredVisit)
    /// No bike with this identity was missing at the visit's time.
    case ignored
    /// No bike was missing, but a test was under way and is over: the beacon is its owner's.
    case proved
    /// The station told of this visit before, but with another value in this field.
    case contradicts(field: String)
}

/// A visit that is a sighting, and on disk.
public struct StoredVisit: Hashable, Sendable {
    /// What the bike looks like; nil where its owner does not want it told.
    public var appearance: BikeAppearance?
    public var report: ReportID
    /// Whether this was the visit's first storing.
    public var isNew: Bool
    /// Alerts that were queued with it, those about other sightings that it bears on included.
    public var alerts: Int
    /// Whether the bike is still missing: if not, the station is told nothing.
    public var isMissing: Bool

    public init(appearance: BikeAppearance?, report: ReportID, isNew: Bool, alerts: Int, isMissing: Bool = true) {
        self.isMissing = isMissing
        self.appearance = appearance
        self.report = report
        self.isNew = isNew
        self.alerts = alerts
    }
}

/// The sightings of missing bikes.
public protocol SightingStore: Sendable {
    /// Records visits of one station in one transaction, each on its own merits, in the order given.
    ///
    /// Only what lies in a report’s period is stored of a visit (``OpenPeriod/part(of:)``). A visit is known by the station and
    /// its identifier. One that was stored before merges
    /// (``VisitObservation/merged(with:)``); a new one is stored where its bike was missing (``OpenPeriod``), in a part for each
    /// report, and the last part queues what its owner hears of it (``AlertRules``): at most one alert for each of the
    /// owner's channels. Each change judges the sightings around it again (``Plausibility``), and queues the news of them.
    func record(
        _ visits: [Visit], by station: StationID, at time: Timestamp, using entropy: Entropy
    ) async throws -> [RecordedVisit]

    /// The sightings of a report in the order in which they were first stored.
    ///
    /// - Throws: `notFound` where this owner has no such report on this bike.
    func sightings(
        of report: ReportID, on bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<Sighting, Int64>

    /// The sightings of a report in the order of their latest change, after a revision. Each change gives a sighting the
    /// next revision of its report. After a revision that the report has not reached come all sightings: whoever saw that
    /// one saw it before the database was restored from an older copy.
    ///
    /// - Throws: `notFound` where this owner has no such report on this bike.
    func sightingChanges(
        of report: ReportID, on bike: BikeID, owner: OwnerID, after revision: Int64, limit: Int
    ) async throws -> [SightingChange]

    /// Marks a sighting as known to be wrong: no further alert is about it. While the report is open, the owner hears
    /// of the first dismissal in an hour on all channels. Dismissing again changes nothing.
    ///
    /// - Throws: `notFound`.
    func dismissSighting(
        _ id: VisitID, of report: ReportID, on bike: BikeID, by act: OwnerAct
    ) async throws -> Sighting

    /// Notes that somebody has read of a sighting: no channel that waits for that gets it or an earlier one of the
    /// report. Acknowledging again changes nothing.
    ///
    /// - Throws: `notFound`.
    func acknowledgeSighting(
        _ id: VisitID, of report: ReportID, on bike: BikeID, owner: OwnerID, at time: Timestamp
    ) async throws -> Sighting
}

/// A sighting as one revision left it.
public struct SightingChange: Hashable, Sendable {
    public var revision: Int64
    public var sighting: Sighting

    public init(revision: Int64, sighting: Sighting) {
        self.revision = revision
        self.sighting = sighting
    }
}
