public import RegistryAPI

/// The content of an evidence pack about one report, from a single snapshot.
public struct EvidenceContent: Hashable, Sendable {
    public var bike: Bike
    public var report: MissingReport
    /// The sightings in the order in which they were stored; only the newest if there are too many.
    public var sightings: [Sighting]
    /// The audit's records of the sightings.
    public var records: [CommittedRecord]
    /// The number of all sightings of the report.
    public var allSightings: Int
    /// The stations of the sightings.
    public var stations: [StationPlaces]
    /// When stations near the search listened and had not reported the beacon.
    public var coverage: EvidenceCoverage
    /// What partner registries signed of the sightings by their stations.
    public var partners = PartnerEvidence()
    /// The number of days, over all stations, whose coverage is damaged and left out. For the registry's operator.
    public var damagedDays = 0
    /// The audit entries of the report (only the newest if there are too many), and the entries that commit to the
    /// records and to the stations' places.
    public var audit: [AuditEntry]
    /// The number of all audit entries of the report.
    public var allAuditEntries: Int
    /// The proof from the end of the audit to the entries.
    public var proof: ChainProof
    /// The number of entries in the audit, and the chain hash of the last one.
    public var auditLength: Int64
    public var auditEnd: HashValue

    public init(
        bike: Bike, report: MissingReport, sightings: [Sighting], records: [CommittedRecord], allSightings: Int,
        stations: [StationPlaces], coverage: EvidenceCoverage, audit: [AuditEntry], allAuditEntries: Int,
        proof: ChainProof, auditLength: Int64, auditEnd: HashValue
    ) {
        self.bike = bike
        self.report = report
        self.sightings = sightings
        self.records = records
        self.allSightings = allSightings
        self.stations = stations
        self.coverage = coverage
        self.audit = audit
        self.allAuditEntries = allAuditEntries
        self.proof = proof
        self.auditLength = auditLength
        self.auditEnd = auditEnd
    }
}

/// A station with every surveyed place.
public struct StationPlaces: Codable, Hashable, Sendable {
    public var id: StationID
    public var name: String
    /// The name of the venue.
    public var venue: String
    /// Whether the station is mobile and reports its own place.
    public var mobile: Bool
    public var enrolled: Timestamp
    /// The time when the operator revoked the station; absent while it is trusted.
    public var revoked: Timestamp?
    /// The places in the order of the moves; the first one dates from the enrolment.
    public var places: [SurveyedPlace]

    /// A place of the station, and the time from which it was there.
    public struct SurveyedPlace: Codable, Hashable, Sendable {
        public var since: Timestamp
        public var place: Place

        public init(since: Timestamp, place: Place) {
            self.since = since
            self.place = place
        }
    }

    public init(
        id: StationID, name: String, venue: String, mobile: Bool, enrolled: Timestamp, revoked: Timestamp? = nil,
        places: [SurveyedPlace]
    ) {
        self.id = id
        self.name = name
        self.venue = venue
        self.mobile = mobile
        self.enrolled = enrolled
        self.revoked = revoked
        self.places = places
    }
}

/// `pack.json`: the subject of the pack, its issuer, and the time when it was made.
struct PackDescription: Codable, Hashable {
    /// How many of all items of a kind are in the pack.
    struct Share: Codable, Hashable {
        var included: Int
        var total: Int
    }

    /// The version of the format (docs/evidence.md), 1…4.
    var format: Int
    var made: Timestamp
    var bike: BikeID
    var report: ReportID
    var sightings: Share
    var auditEntries: Share
    /// The version and the fingerprint of the key that signed the pack.
    var keyVersion: Int
    var fingerprint: HashValue
}
