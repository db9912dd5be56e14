public import Beacons
public import RegistryAPI

/// Where a beacon's identity comes from.
public enum IdentitySource: Sendable {
    /// The beacon's own, taken as it is.
    case given(BeaconIdentity)
    /// The beacon's own, by its owner's word: the bike gets another minor, and is pending until that is proved.
    case claimed(BeaconIdentity, Entropy)
    case allocated(IdentityAllocation, Entropy)
}

/// A bike to be registered.
public struct NewBike: Sendable {
    public typealias Identity = IdentitySource

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

/// Bikes and the identities of their beacons.
public protocol BikeStore: Sendable {
    /// Registers a bike; its identity is taken for ever. One that is only claimed is not.
    ///
    /// - Throws: `identityTaken`, `identitiesExhausted`, `tooManyToday`, `idempotencyKeyReused`.
    func registerBike(_ bike: NewBike, once: IdempotencyKey?) async throws -> Bike

    /// The bike, if this owner has it.
    func bike(_ id: BikeID, of owner: OwnerID) async throws -> Bike?

    /// An owner's bikes, in the order of their registration.
    func bikes(of owner: OwnerID, _ page: PageRequest<BikeID>) async throws -> StoredPage<Bike, BikeID>

    /// Changes the details of a bike that still is as the caller saw it.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`.
    func changeBike(_ bike: Bike, to changed: Bike, by act: OwnerAct) async throws -> Bike

    /// Erases a bike that still is as the caller saw it, with its reports and their sightings. The erasure is in the
    /// journal, on disk, when this returns; the beacon's identity is never issued again.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`; while the bike is missing, `recoveryCodeNeeded` and `codeUnusable`.
    func eraseBike(_ bike: Bike, by act: OwnerAct) async throws

    /// Gives a bike that still is as the caller saw it another identity; the one before is never issued again.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`, `bikeMissing`, and what ``registerBike(_:once:)`` throws.
    func replaceBeacon(of bike: Bike, from source: IdentitySource, by act: OwnerAct) async throws -> Bike

    /// Exchanges the identities of two bikes of an owner; the first still is as the caller saw it.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`, `bikeMissing`, `beaconUnproved`.
    func exchangeBeacons(of bike: Bike, with other: BikeID, by act: OwnerAct) async throws -> Bike

    /// Has stations listen for the beacon of a pending bike for ``PendingBeacon/testLength``, in place of the owner's test
    /// before. Without effect where nothing is left to prove.
    ///
    /// - Throws: `notFound`, `ownerSuspended`, `beaconStopped`, `tooManyToday`.
    func testBeacon(of bike: BikeID, by act: OwnerAct) async throws -> Bike

    /// What happened to a bike, oldest first.
    ///
    /// - Throws: `notFound` where this owner has no such bike.
    func history(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<BikeEvent, Int64>
}
