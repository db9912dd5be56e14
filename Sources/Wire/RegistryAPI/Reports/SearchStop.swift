public import Beacons

/// Why an operator keeps a bike's beacon off the missing list, and what the owner and the operator say about it.
public struct SearchStop: Codable, Hashable, Sendable {
    /// The maximum number of objections to one stop, by all owners whom the beacon has had since. Each owner has one.
    public static let mostObjections = 2

    public var stopped: Timestamp
    /// What the operator wrote; absent if the beacon belonged to somebody else then.
    public var reason: String?
    /// The owner's only objection; absent if there is none.
    public var objection: String?
    public var objected: Timestamp?
    /// The operator's answer to the objection. An operator who agrees allows the search instead, which ends the stop.
    public var answer: String?
    public var answered: Timestamp?
    /// True if the stop has had ``mostObjections``, so that no more are accepted; otherwise absent.
    public var exhausted: Bool?

    public init(
        stopped: Timestamp, reason: String? = nil, objection: String? = nil, objected: Timestamp? = nil,
        answer: String? = nil, answered: Timestamp? = nil, exhausted: Bool? = nil
    ) {
        self.stopped = stopped
        self.reason = reason
        self.objection = objection
        self.objected = objected
        self.answer = answer
        self.answered = answered
        self.exhausted = exhausted
    }
}

/// A stop that its bike's owner objects to, for the operator.
public struct StopReview: Codable, Hashable, Sendable {
    public var bike: BikeID
    public var owner: OwnerID
    public var beacon: BeaconIdentity
    public var stop: SearchStop

    public init(bike: BikeID, owner: OwnerID, beacon: BeaconIdentity, stop: SearchStop) {
        self.bike = bike
        self.owner = owner
        self.beacon = beacon
        self.stop = stop
    }
}
