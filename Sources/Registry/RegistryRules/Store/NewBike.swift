public import Beacons
public import RegistryAPI

/// A bike to register.
public struct NewBike: Sendable {
    public var id: BikeID
    public var owner: OwnerID
    public var details: BikeDraft
    public var identity: IdentitySource
    public var created: Timestamp

    public init(
        id: BikeID, owner: OwnerID, details: BikeDraft, identity: IdentitySource, created: Timestamp
    ) {
        self.id = id
        self.owner = owner
        self.details = details
        self.identity = identity
        self.created = created
    }
}

/// Where the identity of a bike's beacon comes from.
public enum IdentitySource: Sendable {
    /// The beacon's own identity, accepted without proof.
    case given(BeaconIdentity)
    /// The beacon's own identity as claimed by its owner:
    /// the bike gets another minor, and is pending until it is proved.
    case claimed(BeaconIdentity, Entropy)
    /// An identity that the registry allocates.
    case allocated(IdentityAllocation, Entropy)
    /// A rotating beacon: the registry's name for it, which no beacon sends, and its sealed key.
    case rotating(BeaconIdentity, sealed: [UInt8])
}
