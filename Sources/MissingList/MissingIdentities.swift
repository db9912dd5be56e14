public import Beacons

/// The missing list as a station matches against it: the identities of all bikes with an open report.
public struct MissingIdentities: Sendable {
    /// The registry's version of the list; grows with every change.
    public let version: UInt64
    private let identities: Set<BeaconIdentity>

    public init(version: UInt64, identities: some Sequence<BeaconIdentity>) {
        self.version = version
        self.identities = Set(identities)
    }

    /// The list of a station that has none yet: nothing is missing.
    public static let empty = MissingIdentities(version: 0, identities: EmptyCollection())

    public var count: Int { identities.count }

    public func contains(_ identity: BeaconIdentity) -> Bool {
        identities.contains(identity)
    }
}
