public import Beacons
public import Concurrency
public import MissingList
public import RegistryAPI

/// The current missing list.
public struct MissingListSnapshot: Sendable {
    public let version: ListVersion
    /// The identities that anyone with a station's token may read, sorted by UUID, major, minor. The canary is one of
    /// them: somebody who copies them must not be able to tell it from a bike.
    public let identities: [BeaconIdentity]
    /// Those of which only the hashes are published, in any order: what rotating beacons send.
    public let concealed: [BeaconIdentity]

    public init(version: ListVersion, identities: [BeaconIdentity], concealed: [BeaconIdentity] = []) {
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

    public init(from: ListVersion, to: ListVersion, added: [BeaconIdentity], removed: [BeaconIdentity]) {
        self.from = from
        self.to = to
        self.added = added
        self.removed = removed
    }
}

/// The missing list, derived from the open reports, and a journal of its changes.
///
/// Every change to the set of missing bikes gives the list a new version in the same transaction.
public protocol MissingListStore: Sendable {
    /// A signal after each commit that changed the list, before the response to the change is sent.
    var missingListSignal: WakeUp { get }

    func missingListVersion() async throws -> ListVersion

    /// The version and the identities, from a single snapshot.
    func missingList() async throws -> MissingListSnapshot

    /// The changes from one version to another, or to the latest; nil if the journal does not contain one of them,
    /// because it is too old or from another history.
    func missingListChanges(since version: ListVersion, upTo last: ListVersion?) async throws -> MissingListChanges?

    /// Deletes changes of the list from before a moment.
    /// A version's moment is that of the first call after it was made.
    func forgetMissingListChanges(before moment: Timestamp, now: Timestamp) async throws
}
