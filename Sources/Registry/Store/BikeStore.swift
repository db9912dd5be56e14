public import Beacons
public import RegistryAPI

/// A bike to be registered.
public struct NewBike: Sendable {
    /// Where its beacon's identity comes from.
    public enum Identity: Sendable {
        case given(BeaconIdentity)
        case allocated(IdentityAllocation, Entropy)
    }

    public var id: BikeID
    public var owner: OwnerID
    public var details: BikeDraft
    public var identity: Identity
    public var created: Timestamp

    public init(id: BikeID, owner: OwnerID, details: BikeDraft, identity: Identity, created: Timestamp) {
        self.id = id
        self.owner = owner
        self.details = details
        self.identity = identity
        self.created = created
    }
}

/// Bikes and the identities of their beacons.
public protocol BikeStore: Sendable {
    /// Registers a bike; its identity is taken for ever.
    ///
    /// - Throws: `identityTaken`, `identitiesExhausted`, `idempotencyKeyReused`.
    func registerBike(_ bike: NewBike, once: OnceKey?) async throws -> Bike

    /// The bike, if this owner has it.
    func bike(_ id: BikeID, of owner: OwnerID) async throws -> Bike?

    /// An owner's bikes, in the order of their registration.
    func bikes(of owner: OwnerID, _ page: PageRequest<BikeID>) async throws -> StoredPage<Bike, BikeID>
}
