public import Beacons
public import RegistryAPI

/// What a broker's link asks: a monitor.
public protocol VenueSource: Sendable {
    /// How the station fares.
    func reading() async throws -> StationReading
    /// Missing bikes that are here now.
    func bikes() async throws -> [MissingBikeHere]
    /// Ticks when a bike comes or leaves, or staff answer; the bikes are looked at now and then without it, too.
    func changes() -> AsyncStream<Void>
    /// Takes an answer of staff; without a visit, for the only alarm that is not answered yet.
    func answer(isSeen: Bool, visit: String?) async
}

/// A missing bike at the venue, as the venue's devices are shown it: nothing of its owner but what the owner lets staff see.
public struct MissingBikeHere: Codable, Hashable, Sendable {
    /// The visit's identifier.
    public var visit: String
    public var kind: BikeKind
    public var make: String
    public var model: String
    public var colours: [BikeColour]
    /// The nearest band that the visit reached.
    public var proximity: Proximity
    /// RFC 3339; nil where the station did not know the time.
    public var firstSeen: String?
    /// What someone at the venue has said; nil before that.
    public var answer: VisitConfirmation.Answer?

    public init(
        visit: String, kind: BikeKind, make: String, model: String, colours: [BikeColour], proximity: Proximity,
        firstSeen: String?, answer: VisitConfirmation.Answer? = nil
    ) {
        self.visit = visit
        self.kind = kind
        self.make = make
        self.model = model
        self.colours = colours
        self.proximity = proximity
        self.firstSeen = firstSeen
        self.answer = answer
    }
}

/// How the station fares.
public struct StationReading: Codable, Hashable, Sendable {
    /// By adapter, over the last minute or so.
    public var advertsPerSecond: [String: Double]
    /// Seconds since the registry confirmed the missing list; nil where that is not known.
    public var listAge: Double?
    /// Visits that the registry has yet to answer for.
    public var outboxDepth: Int

    public init(advertsPerSecond: [String: Double], listAge: Double?, outboxDepth: Int) {
        self.advertsPerSecond = advertsPerSecond
        self.listAge = listAge
        self.outboxDepth = outboxDepth
    }
}
