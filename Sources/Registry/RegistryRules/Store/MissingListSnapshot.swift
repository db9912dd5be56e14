public import Beacons
public import MissingList
import OperatingSystem
import RegistryAPI

/// The missing list at one version, with everything that stations get.
public struct MissingListSnapshot: Sendable {
    public let version: ListVersion
    /// The identities that anyone with a station's token may read, sorted by UUID, major, minor. They include the
    /// canary: a reader must not be able to distinguish it from a bike.
    public let identities: [BeaconIdentity]
    /// The identities that rotating beacons send, in any order. Only their hashes are published.
    public let concealed: [BeaconIdentity]
    /// The hashes on the lists of partners. They are never passed on to other partners.
    public let partners: [TruncatedHashes]

    public init(
        version: ListVersion, identities: [BeaconIdentity], concealed: [BeaconIdentity] = [],
        partners: [TruncatedHashes] = []
    ) {
        self.partners = partners
        self.version = version
        self.identities = identities
        self.concealed = concealed
    }
}

/// The changes of the missing list between two versions. An identity that was added and removed is in neither array.
public struct MissingListChanges: Sendable {
    public let from: ListVersion
    public let to: ListVersion
    /// Each once, in any order.
    public let added: [BeaconIdentity]
    /// Each once, in any order.
    public let removed: [BeaconIdentity]
    /// What left and joined the lists of partners; a hash may occur several times.
    public let partners: HashChanges

    public init(
        from: ListVersion, to: ListVersion, added: [BeaconIdentity], removed: [BeaconIdentity],
        partners: HashChanges = HashChanges()
    ) {
        self.partners = partners
        self.from = from
        self.to = to
        self.added = added
        self.removed = removed
    }
}
