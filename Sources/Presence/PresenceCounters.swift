/// What a tracker has met since it was made: signs of trouble for whoever watches a station.
public struct PresenceCounters: Hashable, Sendable {
    /// Frames observed.
    public internal(set) var frames = 0
    /// Frames whose time lay before one observed earlier.
    public internal(set) var backwardFrames = 0
    /// Beacons forgotten before they had the frames of a visit, because too many others were new.
    public internal(set) var evictedCandidates = 0
    /// Visits ended early, because too many were open.
    public internal(set) var displacedVisits = 0

    public init() {}
}
