public import Beacons

/// What is left to show of a beacon whose identity its owner gave: that it is theirs. Until then the bike is not reported
/// missing.
///
/// The bike has an identity that differs from the given one in the minor, which the registry has drawn. Whoever can set the
/// beacon to it, and is heard with it by a station, has the beacon in hand; an operator may accept the given one instead.
public struct PendingBeacon: Codable, Hashable, Sendable {
    /// The identity that the beacon has by its owner's word; absent once an operator has refused it.
    public var claimed: BeaconIdentity?
    /// Until when stations listen for the bike's identity; absent while no test runs.
    public var testEnds: Timestamp?

    /// How long stations listen in one test.
    public static let testLength = Duration.seconds(30 * 60)

    public init(claimed: BeaconIdentity?, testEnds: Timestamp? = nil) {
        self.claimed = claimed
        self.testEnds = testEnds
    }
}

/// Body of `PUT /v1/claims/{bike}/acceptance`.
public struct ClaimAcceptance: Codable, Hashable, Sendable {
    /// The identity that was checked: one that its owner has changed since is not accepted.
    public var identity: BeaconIdentity

    public init(identity: BeaconIdentity) { self.identity = identity }
}

/// A given identity that waits for an operator, as operators see it: nothing of what the bike is.
public struct BeaconClaim: Codable, Hashable, Sendable {
    public var bike: BikeID
    public var owner: OwnerID
    public var claimed: BeaconIdentity
    /// Whether a bike of this registry has or had the identity: then it cannot be accepted.
    public var taken: Bool
    public var since: Timestamp

    public init(bike: BikeID, owner: OwnerID, claimed: BeaconIdentity, taken: Bool = false, since: Timestamp) {
        self.bike = bike
        self.owner = owner
        self.claimed = claimed
        self.taken = taken
        self.since = since
    }
}

extension PendingBeacon: WireObject, JSONWritable {
    public static let blank = PendingBeacon(claimed: nil)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.answered("claimed", claimed, .object())
        fields.answered("testEnds", testEnds, .timestamp)
    }
}

extension ClaimAcceptance: WireObject {
    public static let blank = ClaimAcceptance(identity: .blank)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("identity", &identity, .object())
    }
}
