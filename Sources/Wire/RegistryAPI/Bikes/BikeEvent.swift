public import Beacons

/// One entry of a bike's history.
public struct BikeEvent: Codable, Hashable, Sendable {
    public var time: Timestamp
    public var event: Kind
    /// The beacon's identity since then.
    public var identity: BeaconIdentity?
    /// Whether ``identity`` is only the name of a rotating beacon, which no beacon sends; absent means no.
    public var rotating: Bool?
    /// The message of a stranger who has found the bike; not verified.
    public var message: String?
    /// The stranger's contact details; not verified.
    public var contact: String?

    /// What happened to the bike.
    public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        case registered
        case changed
        /// The beacon was exchanged with another bike's.
        case beaconMoved = "beacon.moved"
        /// The previous beacon is retired forever.
        case beaconRetired = "beacon.retired"
        /// A station heard the beacon in a test, which proves that the beacon is the owner's.
        case beaconProved = "beacon.proved"
        /// An operator accepted the identity that the owner had given.
        case beaconAccepted = "beacon.accepted"
        /// The bike was transferred from another owner.
        case transferred
        /// Somebody reports that they have found the beacon.
        case found
    }

    public init(
        _ event: Kind, at time: Timestamp, identity: BeaconIdentity? = nil, rotating: Bool? = nil,
        message: String? = nil, contact: String? = nil
    ) {
        self.time = time
        self.event = event
        self.identity = identity
        self.rotating = rotating
        self.message = message
        self.contact = contact
    }
}
