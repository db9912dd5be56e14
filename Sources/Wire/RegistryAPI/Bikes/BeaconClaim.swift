public import Beacons

/// The pending proof that a beacon whose identity an owner gave belongs to that owner. Until it is complete, the bike
/// cannot be reported missing.
///
/// The bike has an identity that differs from the given one in the minor, which the registry chose at random. Anyone
/// who can set the beacon to this identity, and have a station hear it, has the beacon; an operator may accept the
/// given identity instead.
public struct PendingBeacon: Codable, Hashable, Sendable {
    /// The identity that the owner gave for the beacon; absent once an operator has refused it.
    public var claimed: BeaconIdentity?
    /// The time until which stations listen for the bike's identity; absent unless a test is running.
    public var testEnds: Timestamp?

    /// The duration of a test, in which stations listen for the identity.
    public static let testLength = Duration.seconds(30 * 60)

    public init(claimed: BeaconIdentity?, testEnds: Timestamp? = nil) {
        self.claimed = claimed
        self.testEnds = testEnds
    }
}

/// Body of `PUT /v1/claims/{bike}/acceptance`.
public struct ClaimAcceptance: Codable, Hashable, Sendable {
    /// The identity that was checked. It is refused if the owner has changed it since.
    public var identity: BeaconIdentity

    public init(identity: BeaconIdentity) { self.identity = identity }
}

/// A given identity that waits for an operator, as operators see it, without any details of the bike.
public struct BeaconClaim: Codable, Hashable, Sendable {
    public var bike: BikeID
    public var owner: OwnerID
    public var claimed: BeaconIdentity
    /// Whether a bike of this registry has or had the identity, which then cannot be accepted.
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
