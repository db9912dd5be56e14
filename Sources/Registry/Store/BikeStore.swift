public import Beacons
public import RegistryAPI

/// The source of a beacon's identity.
public enum IdentitySource: Sendable {
    /// The beacon's own identity, accepted without proof.
    case given(BeaconIdentity)
    /// The beacon's own identity as claimed by its owner:
    /// the bike gets another minor, and is pending until it is proved.
    case claimed(BeaconIdentity, Entropy)
    case allocated(IdentityAllocation, Entropy)
    /// A rotating beacon: the name under which the registry knows it, which no beacon sends, and its sealed key.
    case rotating(BeaconIdentity, sealed: [UInt8])
}

/// A bike to register.
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
    /// Registers a bike; its identity is taken forever, unless it is only claimed.
    ///
    /// - Throws: `identityTaken`, `identitiesExhausted`, `tooManyToday`, `idempotencyKeyReused`.
    func registerBike(_ bike: NewBike, once: IdempotencyKey?) async throws -> Bike

    /// The bike, if this owner has it or is a member of it.
    func bike(_ id: BikeID, of owner: OwnerID) async throws -> Bike?

    /// The bikes that an owner has or is a member of, in the order of their registration.
    func bikes(of owner: OwnerID, _ page: PageRequest<BikeID>) async throws -> StoredPage<Bike, BikeID>

    /// Changes the details of a bike if it is unchanged since the caller saw it.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`, `tooManyToday`.
    func changeBike(_ bike: Bike, to changed: Bike, by act: OwnerAct) async throws -> Bike

    /// Erases a bike with its reports and their sightings, if it is unchanged since the caller saw it. The erasure is
    /// in the journal on disk when this returns; the beacon's identity is never issued again.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`; while the bike is missing, `recoveryCodeNeeded` and `codeUnusable`.
    func eraseBike(_ bike: Bike, by act: OwnerAct) async throws

    /// Gives a bike another identity, if it is unchanged since the caller saw it;
    /// the previous identity is never issued again.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`, `bikeMissing`, and what ``registerBike(_:once:)`` throws.
    func replaceBeacon(of bike: Bike, from source: IdentitySource, by act: OwnerAct) async throws -> Bike

    /// Exchanges the identities of two bikes of an owner, if the first is unchanged since the caller saw it.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`, `bikeMissing`, `beaconUnproved`.
    func exchangeBeacons(of bike: Bike, with other: BikeID, by act: OwnerAct) async throws -> Bike

    /// Makes stations listen for the beacon of a pending bike for ``PendingBeacon/testLength``; replaces the owner's
    /// previous test. Has no effect if nothing is left to prove.
    ///
    /// - Throws: `notFound`, `ownerSuspended`, `beaconStopped`, `tooManyToday`.
    func testBeacon(of bike: BikeID, by act: OwnerAct) async throws -> Bike

    /// The history of a bike, oldest event first.
    ///
    /// - Throws: `notFound` if this owner has no such bike.
    func history(
        of bike: BikeID, owner: OwnerID, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<BikeEvent, Int64>
}
