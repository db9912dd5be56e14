public import Beacons
public import RegistryAPI

/// The data source of a link to a broker: a monitor.
public protocol VenueSource: Sendable {
    /// The state of the station.
    func reading() async throws -> StationReading
    /// The missing bikes that are present now.
    func bikes() async throws -> [MissingBikeHere]
    /// Yields when a bike arrives or leaves, or when staff answer; the bikes are also polled from time to time.
    func changes() -> AsyncStream<Void>
    /// Records an answer from staff; without a visit, it applies to the only unanswered alarm.
    func answer(isSeen: Bool, visit: String?) async
}

/// A missing bike at the venue, for the venue's devices; it contains only what the owner lets staff see.
public struct MissingBikeHere: Codable, Hashable, Sendable {
    /// The visit's identifier.
    public var visit: String
    public var kind: BikeKind
    public var make: String
    public var model: String
    public var colours: [BikeColour]
    /// The nearest proximity band of the visit.
    public var proximity: Proximity
    /// RFC 3339; nil if the station did not know the time.
    public var firstSeen: String?
    /// The answer from someone at the venue; nil before there is one.
    public var answer: VisitConfirmation.Answer?
    /// The name of the receiver that heard it best; nil if that was an adapter of the machine.
    public var receiver: String?
    /// The address of a picture, which works while the bike is there; nil unless the owner lets staff see one.
    public var photo: String?

    public init(
        visit: String, kind: BikeKind, make: String, model: String, colours: [BikeColour], proximity: Proximity,
        firstSeen: String?, answer: VisitConfirmation.Answer? = nil, receiver: String? = nil, photo: String? = nil
    ) {
        self.visit = visit
        self.kind = kind
        self.make = make
        self.model = model
        self.colours = colours
        self.proximity = proximity
        self.firstSeen = firstSeen
        self.answer = answer
        self.receiver = receiver
        self.photo = photo
    }
}

/// The state of a station.
public struct StationReading: Codable, Hashable, Sendable {
    /// Adverts a second by adapter, over about the last minute.
    public var advertsPerSecond: [String: Double]
    /// Seconds since the registry confirmed the missing list; nil if unknown.
    public var listAge: Double?
    /// The number of visits that the registry has not acknowledged.
    public var outboxDepth: Int

    public init(advertsPerSecond: [String: Double], listAge: Double?, outboxDepth: Int) {
        self.advertsPerSecond = advertsPerSecond
        self.listAge = listAge
        self.outboxDepth = outboxDepth
    }
}
