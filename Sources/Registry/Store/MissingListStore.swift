public import Beacons
public import Concurrency
public import MissingList
public import RegistryAPI

/// The missing list as it stands.
public struct MissingListSnapshot: Sendable {
    public let version: ListVersion
    /// Sorted by UUID, major, minor.
    public let identities: [BeaconIdentity]

    public init(version: ListVersion, identities: [BeaconIdentity]) {
        self.version = version
        self.identities = identities
    }
}

/// What became of the missing list between two versions: an identity that came and went is in neither set.
public struct MissingListChanges: Hashable, Sendable {
    public let from: ListVersion
    public let to: ListVersion
    public let added: Set<BeaconIdentity>
    public let removed: Set<BeaconIdentity>

    public init(from: ListVersion, to: ListVersion, added: Set<BeaconIdentity>, removed: Set<BeaconIdentity>) {
        self.from = from
        self.to = to
        self.added = added
        self.removed = removed
    }
}

/// The list that the open reports make, and a journal of its changes.
///
/// Whatever changes which bikes are missing gives the list a new version in the same transaction.
public protocol MissingListStore: Sendable {
    /// Wakes after each commit that changed the list, and before the change is answered.
    var missingListSignal: WakeUp { get }

    func missingListVersion() async throws -> ListVersion

    /// The version and the identities of the same moment.
    func missingList() async throws -> MissingListSnapshot

    /// What changed from one version to another, or to the latest; nil where the journal does not know one of them: too
    /// long ago, or of another history.
    func missingListChanges(since version: ListVersion, upTo last: ListVersion?) async throws -> MissingListChanges?

    /// Forgets what the list became before a moment. A version's moment is that of the first call after it was made.
    func forgetMissingListChanges(before moment: Timestamp, now: Timestamp) async throws
}
