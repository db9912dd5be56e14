public import RegistryAPI

/// What an evidence pack tells of one report, all of the same moment.
public struct EvidenceContent: Hashable, Sendable {
    public var bike: Bike
    public var report: MissingReport
    /// In the order in which they were stored; the newest where there are more than fit.
    public var sightings: [Sighting]
    /// What the audit has recorded of them; less where some were stored before there were records.
    public var records: [CommittedRecord]
    /// How many there are in all.
    public var allSightings: Int
    /// The stations of the sightings.
    public var stations: [StationPlaces]
    /// The report's entries in the audit; the newest where there are more than fit, and those that commit to the records
    /// and to the stations' places.
    public var audit: [AuditEntry]
    public var allAuditEntries: Int
    /// From the audit's end to the entries.
    public var proof: ChainProof
    /// The audit's last entry, and its chain hash.
    public var auditLength: Int64
    public var auditEnd: HashValue

    public init(
        bike: Bike, report: MissingReport, sightings: [Sighting], records: [CommittedRecord], allSightings: Int,
        stations: [StationPlaces], audit: [AuditEntry], allAuditEntries: Int, proof: ChainProof, auditLength: Int64,
        auditEnd: HashValue
    ) {
        self.bike = bike
        self.report = report
        self.sightings = sightings
        self.records = records
        self.allSightings = allSightings
        self.stations = stations
        self.audit = audit
        self.allAuditEntries = allAuditEntries
        self.proof = proof
        self.auditLength = auditLength
        self.auditEnd = auditEnd
    }
}

/// A station with every place where it was surveyed.
public struct StationPlaces: Codable, Hashable, Sendable {
    public var id: StationID
    public var name: String
    /// Whose premises these are.
    public var venue: String
    /// Whether it goes about and says itself where it is.
    public var mobile: Bool
    public var enrolled: Timestamp
    /// When the operator stopped trusting it; absent while it is trusted.
    public var revoked: Timestamp?
    /// In the order of the moves; the first since the enrolment.
    public var places: [SurveyedPlace]

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

/// `pack.json`: what the pack is about, and by whom and when it was made.
struct PackDescription: Codable, Hashable {
    struct Share: Codable, Hashable {
        var included: Int
        var total: Int
    }

    var format: Int
    var made: Timestamp
    var bike: BikeID
    var report: ReportID
    var sightings: Share
    var auditEntries: Share
    var keyVersion: Int
    var fingerprint: HashValue
}
