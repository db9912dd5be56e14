public import VenueStatus

/// What a station adds to a visit: time, place and whether it is reported; and the destinations of events and counts.
public struct Venue: Sendable {
    public let clock: StationClock
    public let location: StationLocation
    public let policy: ReportPolicy
    public let events: MonitorEvents
    public let hearing: HearingStatus
    public let coverage: CoverageJournal

    public init(
        clock: StationClock, location: StationLocation = StationLocation(.enrolled), policy: ReportPolicy = .always,
        events: MonitorEvents = MonitorEvents(), hearing: HearingStatus = HearingStatus(),
        coverage: CoverageJournal = CoverageJournal()
    ) {
        self.clock = clock
        self.location = location
        self.policy = policy
        self.events = events
        self.hearing = hearing
        self.coverage = coverage
    }
}
