public import Beacons
public import RegistryAPI

/// A request of somebody who feels followed, to be stored.
public struct NewSafetyRequest: Sendable {
    public var id: SafetyRequestID
    /// The digest of the request's secret (``ConversationSecret/safetyDigest``).
    public var secret: SecretDigest
    /// The beacon that follows the writer; nil if it is not known.
    public var beacon: BeaconIdentity?
    public var text: String
    /// The writer's network.
    public var network: FinderNetwork
    public var time: Timestamp

    public init(
        id: SafetyRequestID, secret: SecretDigest, beacon: BeaconIdentity?, text: String, network: FinderNetwork,
        time: Timestamp
    ) {
        self.id = id
        self.secret = secret
        self.beacon = beacon
        self.text = text
        self.network = network
        self.time = time
    }
}
