/// What a station brings to a visit: its time, its place, its owner's wish, and who looks on.
public struct Venue: Sendable {
    public let clock: StationClock
    public let location: StationLocation
    public let policy: ReportPolicy
    public let events: MonitorEvents
    public let hearing: HearingStatus

    public init(
        clock: StationClock, location: StationLocation = StationLocation(.enrolled), policy: ReportPolicy = .always,
        events: MonitorEvents = MonitorEvents(), hearing: HearingStatus = HearingStatus()
    ) {
        self.clock = clock
        self.location = location
        self.policy = policy
        self.events = events
        self.hearing = hearing
    }
}
