public import Beacons

/// Response to `GET /v1/missing` as JSON, for people: the identities of all bikes with an open report.
public struct MissingListDocument: Codable, Hashable, Sendable {
    /// The version number, which increases with every change.
    public var version: UInt64
    /// Sorted by UUID, major, minor.
    public var identities: [BeaconIdentity]

    public init(version: UInt64, identities: [BeaconIdentity]) {
        self.version = version
        self.identities = identities
    }
}
