public import Beacons

/// Body of `POST /v1/bikes/{id}/beacon`: the source of the bike's new identity.
///
/// If it is empty, the registry allocates an identity. In all cases, the previous identity is never used again, unless
/// two bikes exchange theirs.
public struct BeaconChange: Codable, Hashable, Sendable {
    /// Another bike of the same owner: the two exchange their beacons' identities.
    public var exchangedWith: BikeID?
    /// The identity of a beacon from outside the network region, if the operator allows these. It must be proved, as
    /// for a new bike.
    public var identity: BeaconIdentity?
    /// Whether the bike gets a rotating beacon with a new key; absent means no.
    public var rotating: Bool?

    public init(exchangedWith: BikeID? = nil, identity: BeaconIdentity? = nil, rotating: Bool? = nil) {
        self.exchangedWith = exchangedWith
        self.identity = identity
        self.rotating = rotating
    }
}

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
        self.rotating = rotating
        self.time = time
        self.event = event
        self.identity = identity
        self.message = message
        self.contact = contact
    }
}

extension BeaconChange: WireObject {
    public static let blank = BeaconChange()

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.optional("exchangedWith", &exchangedWith, .id())
        fields.optional("identity", &identity, .object())
        fields.optional("rotating", &rotating, .boolean)
        if rotating == true, exchangedWith != nil || identity != nil {
            fields.refuse("rotating", "cannot be given together with exchangedWith or identity; leave one of them out")
        }
        if exchangedWith != nil, identity != nil {
            fields.refuse("identity", "cannot be given together with exchangedWith; leave one of them out")
        }
    }
}
