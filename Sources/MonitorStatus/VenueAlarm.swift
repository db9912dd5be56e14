extension StatusReport {
    public struct Alarms: Codable, Hashable, Sendable {
        /// The latest, newest first.
        public var recent: [VenueAlarm] = []
        /// What staff are to do.
        public var advice = ""
        /// Since the program started.
        public var made = 0
        /// Alarms that a bell left out for newer ones.
        public var skipped = 0
        /// Ends of the command by kind: `succeeded`, `failed`, `timedOut`, `notStarted`.
        public var commands: [String: Int] = [:]
        public var lastCommandError: String?
        /// Whether the broker is connected; nil where none is configured.
        public var isBrokerConnected: Bool?
        public var lastBrokerError: String?

        public init() {}
    }
}

/// A missing bike that staff may look for.
public struct VenueAlarm: Codable, Hashable, Sendable {
    /// The visit's identifier.
    public var visit: String
    public var kind: String
    public var make: String
    public var model: String
    public var colours: [String]
    /// The nearest band that the visit reached.
    public var proximity: String
    /// Seconds since the bike was first heard.
    public var age: Double
    /// Whether it is still heard.
    public var isPresent: Bool
    /// `seen` or `absent`; nil where nobody has answered.
    public var answer: String?

    public init(
        visit: String, kind: String, make: String, model: String, colours: [String], proximity: String, age: Double,
        isPresent: Bool, answer: String? = nil
    ) {
        self.visit = visit
        self.kind = kind
        self.make = make
        self.model = model
        self.colours = colours
        self.proximity = proximity
        self.age = age
        self.isPresent = isPresent
        self.answer = answer
    }
}
