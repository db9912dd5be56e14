/// Counters of a tracker since it was created, which show problems of a station.
public struct PresenceCounters: Hashable, Sendable {
    /// Frames observed.
    public internal(set) var frames = 0
    /// Frames with a time before that of an earlier frame.
    public internal(set) var backwardFrames = 0
    /// Beacons dropped before they had enough frames for a visit, because too many others were new.
    public internal(set) var evictedCandidates = 0
    /// Visits ended early because too many were open.
    public internal(set) var displacedVisits = 0

    public init() {}
}
