public import Beacons

/// A visit as the registry stores it and the bike's owner sees it.
public struct Sighting: Codable, Hashable, Sendable {
    public var id: VisitID
    public var report: ReportID
    public var station: StationSummary
    public var place: Place
    public var firstSeen: Timestamp
    public var lastSeen: Timestamp
    /// When the registry stored it first.
    public var received: Timestamp
    public var count: Int64
    /// Absent where the radio did not tell.
    public var rssi: SignalStrength?
    public var proximity: Proximity
    public var ended: Bool
    public var timeUncertain: Bool
    /// Whether it was told over an hour after the beacon was last heard.
    public var late: Bool
    /// How sure it is.
    public var level: SightingLevel
    /// What the level rests on.
    public var reasons: [SightingReason]
    /// What a person at the venue said.
    public var confirmation: VisitConfirmation?
    /// Where the station said that it was, where that is not ``place``.
    public var claimedPlace: Place?
    /// When the owner dismissed it.
    public var dismissed: Timestamp?
    /// When somebody said that they had read its alert: then nobody else is told in their place.
    public var acknowledged: Timestamp?

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
        dismissed: Timestamp? = nil, acknowledged: Timestamp? = nil
    ) {
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
    }
}

/// One page of a list; the next one is behind the `Link` header and ``next``.
public struct Page<Item: Codable & Sendable>: Codable, Sendable {
    public var items: [Item]
    /// Opaque; absent on the last page.
    public var next: String?

    public init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }
}
