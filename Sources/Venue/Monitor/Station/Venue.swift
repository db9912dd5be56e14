public import RegistryAPI
public import StationStatus
import Synchronization

/// What a station adds to a visit: time, place and whether it is reported; and the destinations of events and counts.
public struct Venue: Sendable {
    public let clock: StationClock
    public let location: StationLocation
    /// The receivers that visits name, by the names of their radios.
    public let receivers: [String: VenueReceiver]
    /// Whether visits are reported: always, after the venue's consent, or never.
    public let policy: ReportPolicy
    public let partners: PartnerStatus
    public let events: MonitorEvents
    public let hearing: HearingStatus
    public let coverage: CoverageJournal

    public init(
        clock: StationClock, location: StationLocation = StationLocation(.enrolled),
        receivers: [String: VenueReceiver] = [:],
        policy: ReportPolicy = .always, partners: PartnerStatus = PartnerStatus(),
        events: MonitorEvents = MonitorEvents(), hearing: HearingStatus = HearingStatus(),
        coverage: CoverageJournal = CoverageJournal()
    ) {
        self.clock = clock
        self.location = location
        self.receivers = receivers
        self.policy = policy
        self.partners = partners
        self.events = events
        self.hearing = hearing
        self.coverage = coverage
    }
}

/// The partner registries for whose missing bikes the station listens, too. Can be read at any time, without waiting.
public final class PartnerStatus: Sendable {
    /// Whether the venue lets them get what the station hears.
    public let isAllowed: Bool
    private let guarded = Mutex<[String]?>(nil)

    public init(isAllowed: Bool = true) { self.isAllowed = isAllowed }

    /// Their names, as the registry last said them; nil before it has.
    public var names: [String]? { guarded.withLock(\.self) }

    public func update(_ names: [String]) { guarded.withLock { $0 = names } }
}
