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
    /// A rotating beacon: the registry's name for it, which no beacon sends, and its sealed key.
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

/// The rules for transferring bikes.
public enum TransferRules {
    /// The time for which a bike stays with its owner after it has been missing.
    public static let waitAfterMissing = Duration.seconds(7 * 86_400)
}

/// A report as a caller names it: `/v1/bikes/{bike}/reports/{report}`. The bike may not have this report, and the
/// caller may be neither the owner nor a member of the bike.
public struct ReportPath: Hashable, Sendable {
    public var id: ReportID
    public var bike: BikeID
    /// The caller: the bike's owner or a member.
    public var owner: OwnerID

    public init(_ id: ReportID, on bike: BikeID, of owner: OwnerID) {
        self.id = id
        self.bike = bike
        self.owner = owner
    }

    public init(_ report: MissingReport, of owner: OwnerID) { self.init(report.id, on: report.bike, of: owner) }
}
