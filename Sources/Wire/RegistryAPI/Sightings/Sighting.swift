public import Beacons

/// A visit as stored by the registry and shown to the bike's owner.
public struct Sighting: Codable, Hashable, Sendable {
    public var id: VisitID
    public var report: ReportID
    public var station: StationSummary
    /// Where the station was.
    public var place: Place
    public var firstSeen: Timestamp
    public var lastSeen: Timestamp
    /// The time when the registry first stored it.
    public var received: Timestamp
    /// The number of frames heard.
    public var count: Int64
    /// The signal strength; absent if the radio did not measure it.
    public var rssi: SignalStrength?
    /// The nearest proximity of the visit.
    public var proximity: Proximity
    /// Whether the stay has ended.
    public var ended: Bool
    /// Whether the station's clock was not synchronised when the times were taken.
    public var timeUncertain: Bool
    /// Whether it was reported more than an hour after the beacon was last heard.
    public var late: Bool
    /// The level of confidence.
    public var level: SightingLevel
    /// The reasons for the level.
    public var reasons: [SightingReason]
    /// The confirmation of a person at the venue.
    public var confirmation: VisitConfirmation?
    /// The place that the station reported, if it differs from ``place``.
    public var claimedPlace: Place?
    /// The time when the owner dismissed it.
    public var dismissed: Timestamp?
    /// The time when the alert was acknowledged; channels that waited for that are then not alerted.
    public var acknowledged: Timestamp?
    /// The receiver that heard it best, as the station reports it; absent if that was an adapter of the station.
    public var receiver: VenueReceiver?
    /// Whether it continues the previous sighting at this station: a rotating beacon changed its identity, and the bike
    /// stayed; absent means no.
    public var sameStay: Bool?

    /// The station that heard the bike.
    public struct StationSummary: Codable, Hashable, Sendable {
        public var id: StationID
        public var name: String

        public init(id: StationID, name: String) {
            self.id = id
            self.name = name
        }
    }

    public init(
        id: VisitID, report: ReportID, station: StationSummary, place: Place, firstSeen: Timestamp,
        lastSeen: Timestamp, received: Timestamp, count: Int64, rssi: SignalStrength?, proximity: Proximity,
        ended: Bool, timeUncertain: Bool, late: Bool = false, level: SightingLevel = .possible,
        reasons: [SightingReason] = [], confirmation: VisitConfirmation? = nil, claimedPlace: Place? = nil,
        dismissed: Timestamp? = nil, acknowledged: Timestamp? = nil, receiver: VenueReceiver? = nil,
        sameStay: Bool? = nil
    ) {
        self.sameStay = sameStay
        self.id = id
        self.report = report
        self.station = station
        self.place = place
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.received = received
        self.count = count
        self.rssi = rssi
        self.proximity = proximity
        self.ended = ended
        self.timeUncertain = timeUncertain
        self.late = late
        self.level = level
        self.reasons = reasons
        self.confirmation = confirmation
        self.claimedPlace = claimedPlace
        self.dismissed = dismissed
        self.acknowledged = acknowledged
        self.receiver = receiver
    }
}

/// One page of a list; the `Link` header and ``next`` lead to the next page.
public struct Page<Item: Codable & Sendable>: Codable, Sendable {
    public var items: [Item]
    /// The opaque cursor of the next page; absent on the last page.
    public var next: String?

    public init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }
}
