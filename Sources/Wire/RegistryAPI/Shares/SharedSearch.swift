/// Response to `GET /v1/share`: what anyone who has the link may know about a search. It contains no name of the owner,
/// and nothing that could be used to register, claim or find the bike or its beacon elsewhere.
public struct SharedSearch: Codable, Hashable, Sendable {
    public var bike: BikeAppearance
    /// The bike's photos in the owner's order; none once the search is over.
    public var photos: [SharedPhoto]
    public var missingSince: Timestamp
    /// When the link stops working.
    public var ends: Timestamp
    /// When the search ended; absent while it continues.
    public var closed: Timestamp?
    /// How the search ended; absent while it continues.
    public var outcome: ReportOutcome?

    public init(
        bike: BikeAppearance, photos: [SharedPhoto], missingSince: Timestamp, ends: Timestamp,
        closed: Timestamp? = nil, outcome: ReportOutcome? = nil
    ) {
        self.bike = bike
        self.photos = photos
        self.missingSince = missingSince
        self.ends = ends
        self.closed = closed
        self.outcome = outcome
    }
}

/// A photo of a shared search; `GET /v1/share/photos/{photo}` returns its pictures.
public struct SharedPhoto: Codable, Hashable, Sendable {
    public var id: PhotoID
    /// The size of the large picture in pixels.
    public var width: Int
    public var height: Int

    /// What anyone who has the link may know about a photo.
    public init(_ photo: Photo) {
        id = photo.id
        width = photo.width
        height = photo.height
    }
}

/// A sighting as anyone who has the link sees it: where and when, and whether to believe it. It does not say why, since
/// the reasons judge stations.
public struct SharedSighting: Codable, Hashable, Sendable {
    public var id: VisitID
    public var station: Station
    public var place: Place
    public var firstSeen: Timestamp
    public var lastSeen: Timestamp
    public var ended: Bool
    public var timeUncertain: Bool
    /// Whether it was reported more than an hour after the beacon was last heard.
    public var late: Bool
    public var level: SightingLevel
    /// Whether the owner says that it was another bike.
    public var dismissed: Bool

    /// The station, by its name alone.
    public struct Station: Codable, Hashable, Sendable {
        public var name: String

        public init(name: String) { self.name = name }
    }

    /// What anyone who has the link may know about a sighting.
    public init(_ sighting: Sighting) {
        id = sighting.id
        station = Station(name: sighting.station.name)
        place = sighting.place
        firstSeen = sighting.firstSeen
        lastSeen = sighting.lastSeen
        ended = sighting.ended
        timeUncertain = sighting.timeUncertain
        late = sighting.late
        level = sighting.level
        dismissed = sighting.dismissed != nil
    }
}
