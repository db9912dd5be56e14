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
    /// Where staff see a photo of the bike during the visit; nil unless its owner agreed to it.
    public var photo: StaffPhotoLink?
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
    /// The first of the stays that the visit continues, under other identities of its beacon; nil if there is none.
    public var continues: StayID?

    public init(
        appearance: BikeAppearance?, photo: StaffPhotoLink? = nil, report: ReportID, isNew: Bool, alerts: Int,
        isMissing: Bool = true,
        otherReports: Set<ReportID> = [], continues: StayID? = nil
    ) {
        self.continues = continues
        self.isMissing = isMissing
        self.otherReports = otherReports
        self.appearance = appearance
        self.photo = photo
        self.report = report
        self.isNew = isNew
        self.alerts = alerts
    }
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
