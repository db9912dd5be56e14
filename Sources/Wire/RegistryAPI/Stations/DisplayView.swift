public import Beacons

/// Response to `GET /v1/display`: everything that a display shows. It names no owner, no beacon and no other place.
public struct DisplayView: Codable, Hashable, Sendable {
    /// The station's name.
    public var station: String
    /// The time of this response; ages are counted from it, because a screen's clock may be wrong.
    public var time: Timestamp
    public var health: StationHealth
    /// Whom staff should call; absent if the operator has not set it.
    public var contact: String?
    /// The missing bikes that are here now, the latest first, at most ``DisplayRules/mostBikes``.
    public var bikes: [DisplayedBike]
    /// The number of further bikes.
    public var more: Int

    public init(
        station: String, time: Timestamp, health: StationHealth, contact: String? = nil, bikes: [DisplayedBike] = [],
        more: Int = 0
    ) {
        self.station = station
        self.time = time
        self.health = health
        self.contact = contact
        self.bikes = bikes
        self.more = more
    }
}

/// A missing bike that staff may look for.
public struct DisplayedBike: Codable, Hashable, Sendable {
    public var visit: VisitID
    /// When it was first heard.
    public var since: Timestamp
    public var lastHeard: Timestamp
    /// The nearest proximity of the visit.
    public var proximity: Proximity
    public var lookFor: BikeAppearance
    /// The last answer of staff; absent if there is none.
    public var answer: VisitConfirmation?
    /// The name of the receiver that heard it best; absent if that was an adapter of the station.
    public var receiver: String?

    public init(
        visit: VisitID, since: Timestamp, lastHeard: Timestamp, proximity: Proximity, lookFor: BikeAppearance,
        answer: VisitConfirmation? = nil, receiver: String? = nil
    ) {
        self.visit = visit
        self.since = since
        self.lastHeard = lastHeard
        self.proximity = proximity
        self.lookFor = lookFor
        self.answer = answer
        self.receiver = receiver
    }
}

/// Whether a station would recognise a missing bike now.
public struct StationHealth: Codable, Hashable, Sendable {
    /// Whether the station would, or a reason why not.
    public enum State: String, Codable, CaseIterable, Hashable, Sendable {
        case listening
        /// There was no contact yet.
        case starting
        /// No receiver works.
        case deaf
        /// There is no missing list, or it is too old.
        case outdated
        /// Station and registry have lost contact.
        case silent
    }

    public var state: State
    /// The last contact between station and registry; absent if there was none.
    public var contact: Timestamp?

    public init(state: State, contact: Timestamp? = nil) {
        self.state = state
        self.contact = contact
    }
}
