public import Beacons

/// The missing list as a station matches against it: the identities of all bikes with an open report.
///
/// Exact, and small: 6 bytes an identity where many share a proximity UUID, as they do inside a region, and 36 where
/// each has its own.
public struct MissingIdentities: Sendable {
    /// The registry's version of the list; grows with every change.
    public let version: UInt64
    private let table: IdentityTable

    /// A list in any order; in order it is made without a copy in memory.
    public init(version: UInt64, identities: some Sequence<BeaconIdentity>) {
        var generator = SystemRandomNumberGenerator()
        self.init(version: version, identities: identities, seed: HashSeed(using: &generator))
    }

    init(version: UInt64, identities: some Sequence<BeaconIdentity>, seed: HashSeed) {
        self.version = version
        table = IdentityTable(identities, seed: seed)
    }

    /// The list of a station that has none yet: nothing is missing.
    public static let empty = MissingIdentities(version: 0, identities: EmptyCollection())

    /// Distinct identities on the list.
    public var count: Int { table.count }

    public func contains(_ identity: BeaconIdentity) -> Bool {
        table.contains(identity)
    }
}
