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
