public import Beacons
public import RegistryAPI
public import Scanning

/// A monitor's status. Ages are in seconds, since its clock may be wrong.
public struct StatusReport: Codable, Hashable, Sendable {
    public var version = ""
    /// Since the program started.
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

    public init() {}

    /// For how many seconds the registry has been out of reach, or has refused this station; nil while all is well. It is
    /// asked for the missing list all the time, whether there is something to report or not.
    public var outage: Double? {
        // A disk that fails is no outage of the registry.
        switch (list.failingFor, reporting.pause?.known == .outboxFailing ? nil : reporting.failingFor) {
        case (let one?, let other?): max(one, other)
        case (let one, let other): one ?? other
        }
    }

    public struct Clock: Codable, Hashable, Sendable {
        /// Whether wall time is known.
        public var isKnown = false
        /// Whether a time source holds the wall clock at this moment.
        public var isSynchronised = false
        /// RFC 3339; the best guess.
        public var time = ""

        public init() {}
    }

    public struct Radio: Codable, Hashable, Sendable {
        public var adapter: String
        public var state: StatusWord<RadioHealth.State>
        public var reports = 0
        public var lastReportAge: Double?
        public var dropped = 0
        public var malformed = 0
        public var lastError: String?
        /// Steps of the watchdog and of the scanner itself.
        public var recoveries: [StatusWord<RecoveryStep>: Int] = [:]
        /// Whether somebody switched it off while the monitor listened.
        public var isSwitchedOff: Bool?
        public var failedRecoveries: [StatusWord<RecoveryStep>: Int] = [:]
        public var lastRecovery: StatusWord<RecoveryStep>?
        public var lastRecoveryAge: Double?
        /// How often something was heard again after steps.
        public var revivals = 0

        public init(adapter: String, state: RadioHealth.State) {
            self.adapter = adapter
            self.state = StatusWord(state)
        }
    }

    /// Totals since the program started.
    public struct Hearing: Codable, Hashable, Sendable {
        public var adverts = 0
        public var beacons = 0
        public var candidates = 0
        public var advertsPerSecond = 0.0
        /// Visits that were ended early, because more were open than there can be.
        public var displaced: Int?

        public init() {}
    }

    public struct List: Codable, Hashable, Sendable {
        /// 0 before there is one.
        public var version: Int64 = 0
        public var count = 0
        /// Since the registry last confirmed it; nil where it has not since the program started.
        public var age: Double?
        /// For how long asking for it has failed; nil while all is well.
        public var failingFor: Double?
        public var lastError: String?
        public var lastErrorAge: Double?

        public init() {}
    }

    public struct Outbox: Codable, Hashable, Sendable {
        /// The file.
        public var path: String?
        public var waiting = 0
        public var oldestAge: Double?
        public var open = 0
        public var awaitingPlace = 0
        public var awaitingClock = 0
        /// Visits that the registry calls invalid.
        public var setAside = 0
        /// Visits merged or lost, by reason.
        public var tally: [StatusWord<OutboxTally>: Int] = [:]
        /// Outboxes that were set aside because they were damaged.
        public var damagedFiles: [String] = []
        public var isDiskFailing = false

        public init() {}
    }

    public struct Reporting: Codable, Hashable, Sendable {
        /// Nil while all is well.
        public var pause: StatusWord<ReportPause>?
        /// For how long reporting has failed; nil while all is well.
        public var failingFor: Double?
        public var nextAttemptIn: Double?
        public var lastReportAge: Double?
        public var lastError: String?
        public var lastErrorAge: Double?
        /// The registry's answers since the program started.
        public var answers: [StatusWord<VisitResult.Verdict>: Int] = [:]

        public init() {}
    }

    public struct Location: Codable, Hashable, Sendable {
        public enum Source: String, Sendable {
            case enrolled, fixed, gpsd
        }

        public var source = StatusWord(Source.enrolled)
        public var latitude: Double?
        public var longitude: Double?
        /// Metres.
        public var accuracy: Double?
        /// Of the last fix.
        public var age: Double?
        public var hasFix: Bool?
        public var lastError: String?
        /// Visits that were not recorded for want of a place.
        public var refused = 0

        public init() {}
    }

    public struct Consent: Codable, Hashable, Sendable {
        public var policy = StatusWord(ReportPolicy.always)
        public var pending = 0

        public init() {}
    }
}

/// A visit that waits for someone at the venue to agree to its report.
public struct PendingVisit: Codable, Hashable, Sendable {
    public var id: String
    /// UUID:major:minor.
    public var beacon: String
    /// RFC 3339.
    public var firstSeen: String
    public var lastSeen: String
    public var frames: Int64
    /// Whether the bike is still there.
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
