public import Beacons
public import RegistryAPI

/// A request of somebody who feels followed, to be stored.
public struct NewSafetyRequest: Sendable {
    public var id: SafetyRequestID
    public var secret: SecretDigest
    public var beacon: BeaconIdentity?
    public var text: String
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
