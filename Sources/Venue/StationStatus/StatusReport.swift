public import Beacons
public import RegistryAPI
public import Scanning

/// A monitor's status. Ages are in seconds, since its clock may be wrong.
public struct StatusReport: Codable, Hashable, Sendable {
    public var version = ""
    /// The seconds since the program started.
    public var uptime = 0.0
    public var clock = Clock()
    public var radios: [Radio] = []
    public var hearing = Hearing()
    public var list = List()
    public var outbox = Outbox()
    public var reporting = Reporting()
    public var location = Location()
    public var consent = Consent()
    public var alarms = Alarms()
    /// Nil from an older monitor.
    public var partners: Partners?

    public init() {}

    /// The seconds for which the registry has been unreachable or has refused this station; nil if there is no problem.
    /// The missing list is requested constantly, whether or not there is something to report.
    public var outage: Double? {
        // A disk failure is not an outage of the registry.
        let reportingFailure = reporting.pause?.known == .outboxFailing ? nil : reporting.failingFor
        guard let listFailure = list.failingFor, let reportingFailure else {
            return list.failingFor ?? reportingFailure
        }
        return max(listFailure, reportingFailure)
    }

    /// What the monitor knows of the time.
    public struct Clock: Codable, Hashable, Sendable {
        /// Whether wall time is known.
        public var isKnown = false
        /// Whether the wall clock is synchronised to a time source now.
        public var isSynchronised = false
        /// The best estimate of wall time (RFC 3339).
        public var time = ""

        public init() {}
    }

    /// One radio: an adapter of the machine or a receiver in the network. Counts are since the program started.
    public struct Radio: Codable, Hashable, Sendable {
        public var adapter: String
        public var state: StatusWord<RadioHealth.State>
        /// Advertising reports heard.
        public var reports = 0
        /// Seconds since the last report; nil before the first.
        public var lastReportAge: Double?
        /// Reports that were received but not read in time.
        public var dropped = 0
        /// Events that could not be parsed.
        public var malformed = 0
        public var lastError: String?
        /// Steps taken by the watchdog and by the scanner itself.
        public var recoveries: [StatusWord<RecoveryStep>: Int] = [:]
        /// Whether the radio was switched off while the monitor was listening.
        public var isSwitchedOff: Bool?
        /// The watchdog's steps that failed or did not end.
        public var failedRecoveries: [StatusWord<RecoveryStep>: Int] = [:]
        public var lastRecovery: StatusWord<RecoveryStep>?
        public var lastRecoveryAge: Double?
        /// The number of times that something was heard again after steps.
        public var revivals = 0

        public init(adapter: String, state: RadioHealth.State) {
            self.adapter = adapter
            self.state = StatusWord(state)
        }
    }

    /// Totals since the program started.
    public struct Hearing: Codable, Hashable, Sendable {
        /// Advertising reports of any kind.
        public var adverts = 0
        /// Frames of iBeacons.
        public var beacons = 0
        /// Frames of beacons that may be on the missing list.
        public var candidates = 0
        /// Over the last minute.
        public var advertsPerSecond = 0.0
        /// Visits that were ended early because too many were open.
        public var displaced: Int?

        public init() {}
    }

    /// The missing list on this machine.
    public struct List: Codable, Hashable, Sendable {
        /// The version; 0 before there is a list.
        public var version: Int64 = 0
        /// The number of entries; a rotating beacon has many.
        public var count = 0
        /// Seconds since the registry last confirmed the list; nil if it has not since the program started.
        public var age: Double?
        /// The seconds for which requests for the list have failed; nil if there is no problem.
        public var failingFor: Double?
        public var lastError: String?
        public var lastErrorAge: Double?

        public init() {}
    }

    /// The visits that wait on disk for the registry.
    public struct Outbox: Codable, Hashable, Sendable {
        /// The path of the file.
        public var path: String?
        /// Visits whose current state the registry has not acknowledged.
        public var waiting = 0
        /// Seconds since the bike of the oldest of these was heard.
        public var oldestAge: Double?
        /// Visits that have not ended.
        public var open = 0
        /// Visits that wait for the station's place.
        public var awaitingPlace = 0
        /// Visits whose wall time is not known yet.
        public var awaitingClock = 0
        /// Visits that the registry refused as invalid.
        public var setAside = 0
        /// Visits merged or lost, by reason.
        public var tally: [StatusWord<OutboxTally>: Int] = [:]
        /// Outboxes that were set aside because they were damaged.
        public var damagedFiles: [String] = []
        /// Whether visits wait in memory because the disk cannot be written to.
        public var isDiskFailing = false

        public init() {}
    }

    /// The reports of visits to the registry.
    public struct Reporting: Codable, Hashable, Sendable {
        /// The reason why nothing is reported; nil if there is no problem.
        public var pause: StatusWord<ReportPause>?
        /// The seconds for which reporting has failed; nil if there is no problem.
        public var failingFor: Double?
        /// Seconds until the next attempt; nil if none is planned.
        public var nextAttemptIn: Double?
        /// Seconds since the registry's last response to visits.
        public var lastReportAge: Double?
        public var lastError: String?
        public var lastErrorAge: Double?
        /// The registry's results since the program started.
        public var answers: [StatusWord<VisitResult.Verdict>: Int] = [:]

        public init() {}
    }

    /// The place of the station.
    public struct Location: Codable, Hashable, Sendable {
        /// Where the place comes from.
        public enum Source: String, Sendable {
            case enrolled, fixed, gpsd
        }

        public var source = StatusWord(Source.enrolled)
        public var latitude: Double?
        public var longitude: Double?
        /// The accuracy in metres.
        public var accuracy: Double?
        /// The age of the last fix in seconds.
        public var age: Double?
        /// Whether the receiver has a position now; nil without a receiver.
        public var hasFix: Bool?
        public var lastError: String?
        /// Visits that were not recorded because there was no place.
        public var refused = 0

        public init() {}
    }

    /// The partner registries for whose missing bikes the station listens, too.
    public struct Partners: Codable, Hashable, Sendable {
        /// Whether the venue lets them get what the station hears.
        public var isAllowed: Bool
        /// Their names, as the registry gives them; nil before it has said them.
        public var names: [String]?

        public init(isAllowed: Bool, names: [String]? = nil) {
            self.isAllowed = isAllowed
            self.names = names
        }
    }

    /// The venue's consent to reports.
    public struct Consent: Codable, Hashable, Sendable {
        public var policy = StatusWord(ReportPolicy.always)
        /// The number of visits that wait for an answer.
        public var pending = 0

        public init() {}
    }
}

/// A visit that waits for the venue's consent to its report.
public struct PendingVisit: Codable, Hashable, Sendable {
    public var id: String
    /// UUID:major:minor.
    public var beacon: String
    /// RFC 3339.
    public var firstSeen: String
    public var lastSeen: String
    public var frames: Int64
    /// Whether the bike is still present.
    public var isPresent: Bool
    public var proximity: StatusWord<Proximity>

    public init(
        id: String, beacon: String, firstSeen: String, lastSeen: String, frames: Int64, isPresent: Bool,
        proximity: Proximity
    ) {
        self.id = id
        self.beacon = beacon
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.frames = frames
        self.isPresent = isPresent
        self.proximity = StatusWord(proximity)
    }
}
