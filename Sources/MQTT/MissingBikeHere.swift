/// A missing bike at the venue, as it is told to the venue's own devices: nothing of its owner but what the owner lets
/// staff see.
public struct MissingBikeHere: Codable, Hashable, Sendable {
    /// The visit's identifier.
    public var visit: String
    public var kind: String
    public var make: String
    public var model: String
    public var colours: [String]
    /// `immediate`, `near`, `far` or `unknown`: the nearest that the visit reached.
    public var proximity: String
    /// RFC 3339; nil where the station did not know the time.
    public var firstSeen: String?
    /// `seen` or `absent`: what someone at the venue has said.
    public var answer: String?

    public init(
        visit: String, kind: String, make: String, model: String, colours: [String], proximity: String,
        firstSeen: String?, answer: String? = nil
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
