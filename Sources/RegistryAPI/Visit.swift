public import Beacons

/// One stay of one missing bike at one station, as the station reports it: at enter, every few minutes, and when lost.
///
/// Reporting it again, late or out of order merges: the earliest first, the latest last, the highest count.
public struct Visit: Codable, Hashable, Sendable {
    /// Made by the station; never changes.
    public var id: VisitID
    /// Shared by the visits into which a stay of more than 24 hours is cut.
    public var stay: StayID
    public var identity: BeaconIdentity
    public var firstSeen: Timestamp
    /// Accepted from 30 days ago to 5 minutes ahead.
    public var lastSeen: Timestamp
    /// Frames heard, 1…2⁵³.
    public var count: Int64
    /// Absent where the radio did not tell.
    public var rssi: SignalStrength?
    /// The beacon's claim of its signal strength at 1 m in dBm, −127…20.
    public var measuredPower: Int
    /// The nearest band that the visit reached.
    public var proximity: Proximity
    /// Where the station was; absent, the enrolled place counts.
    public var place: Place?
    /// Whether the stay has ended.
    public var ended: Bool
    /// Whether the station's clock was not synchronised when the times were taken.
    public var timeUncertain: Bool?
    /// How long before it was sent the beacon was last heard, in seconds by the boot clock, 0…2,592,000: sent by a station
    /// whose wall clock was never set. It replaces ``lastSeen``, and ``firstSeen`` moves along.
    public var secondsAgo: Double?

    public init(
        id: VisitID, stay: StayID, identity: BeaconIdentity, firstSeen: Timestamp, lastSeen: Timestamp, count: Int64,
        rssi: SignalStrength?, measuredPower: Int, proximity: Proximity, place: Place?, ended: Bool,
        timeUncertain: Bool? = nil, secondsAgo: Double? = nil
    ) {
        self.id = id
        self.stay = stay
        self.identity = identity
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.count = count
        self.rssi = rssi
        self.measuredPower = measuredPower
        self.proximity = proximity
        self.place = place
        self.ended = ended
        self.timeUncertain = timeUncertain
        self.secondsAgo = secondsAgo
    }
}

/// Extremes of the received signal strength in dBm, each −127…20.
public struct SignalStrength: Codable, Hashable, Sendable {
    public var min: Int
    public var max: Int

    public init(min: Int, max: Int) {
        self.min = min
        self.max = max
    }

    public func merged(with other: SignalStrength) -> SignalStrength {
        SignalStrength(min: Swift.min(min, other.min), max: Swift.max(max, other.max))
    }
}

/// Body of `POST /v1/sightings`: at most ``maximumCount`` visits.
public struct VisitBatch: Codable, Hashable, Sendable {
    public static let maximumCount = 500

    public var visits: [Visit]

    public init(visits: [Visit]) {
        self.visits = visits
    }
}

/// Answer to `POST /v1/sightings`, one result for each visit in the order of the batch.
public struct VisitBatchResult: Codable, Hashable, Sendable {
    public var results: [VisitResult]

    public init(results: [VisitResult]) {
        self.results = results
    }
}

public struct VisitResult: Codable, Hashable, Sendable {
    public enum Verdict: String, Codable, CaseIterable, Hashable, Sendable {
        /// The visit is a sighting of a missing bike, and on disk.
        case stored
        /// No bike with this identity was missing then. Says no more, so that nobody can probe for bikes.
        case ignored
        /// The visit breaks the contract; `errors` says where. Sending it again cannot help.
        case invalid
    }

    /// The visit's identifier as it was sent; absent where that was unreadable.
    public var id: VisitID?
    public var result: Verdict
    /// With `stored`: what the station's staff may look for.
    public var lookFor: BikeAppearance?
    /// With `invalid`: pointers into the request's body.
    public var errors: [FieldError]?

    public init(id: VisitID?, result: Verdict, lookFor: BikeAppearance? = nil, errors: [FieldError]? = nil) {
        self.id = id
        self.result = result
        self.lookFor = lookFor
        self.errors = errors
    }
}
