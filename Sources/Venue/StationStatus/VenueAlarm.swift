public import Beacons
public import RegistryAPI

extension StatusReport {
    /// The alarms at the venue.
    public struct Alarms: Codable, Hashable, Sendable {
        /// The latest alarms, newest first.
        public var recent: [VenueAlarm] = []
        /// The advice to staff.
        public var advice = ""
        /// Alarms since the program started.
        public var made = 0
        /// Alarms that a bell skipped in favour of newer ones.
        public var skipped = 0
        /// Exits of the command by kind: `succeeded`, `failed`, `timedOut`, `notStarted`.
        public var commands: [String: Int] = [:]
        public var lastCommandError: String?
        /// Whether the broker is connected; nil if none is configured.
        public var isBrokerConnected: Bool?
        public var lastBrokerError: String?

        public init() {}
    }
}

/// A missing bike that staff may look for.
public struct VenueAlarm: Codable, Hashable, Sendable {
    /// The visit's identifier.
    public var visit: String
    public var kind: StatusWord<BikeKind>
    public var make: String
    public var model: String
    public var colours: [StatusWord<BikeColour>]
    /// The nearest proximity band of the visit.
    public var proximity: StatusWord<Proximity>
    /// Seconds since the bike was first heard.
    public var age: Double
    /// Whether the bike is still heard.
    public var isPresent: Bool
    /// The answer from someone at the venue; nil before there is one.
    public var answer: StatusWord<VisitConfirmation.Answer>?
    /// The name of the receiver that heard it best; nil if that was an adapter of the machine.
    public var receiver: String?
    /// The address of a picture, which works while the bike is there; nil unless the owner lets staff see one.
    public var photo: String?

    public init(
        visit: VisitID, lookFor: BikeAppearance, proximity: Proximity, age: Double, isPresent: Bool,
        answer: VisitConfirmation.Answer?, receiver: String? = nil
    ) {
        self.visit = "\(visit)"
        kind = StatusWord(lookFor.kind)
        make = lookFor.make
        model = lookFor.model
        colours = lookFor.colours.map { StatusWord($0) }
        self.proximity = StatusWord(proximity)
        self.age = age
        self.isPresent = isPresent
        self.answer = answer.map { StatusWord($0) }
        self.receiver = receiver
        photo = lookFor.photo
    }
}
