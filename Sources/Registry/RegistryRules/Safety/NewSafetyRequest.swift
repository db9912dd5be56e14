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

/// The limits of requests of people who feel followed.
public enum SafetyRules {
    /// The maximum number of requests from one subscriber (``FinderNetwork/subscriber``) in a day about the same beacon
    /// of this registry, and the same number about everything else.
    public static let perNetwork = 3
    /// The maximum number of open requests about beacons of this registry, and the same number of others. Beyond it,
    /// the beacon with the most requests loses its newest. Of the others, the wider network with the most loses the
    /// newest request of its subscriber with the most.
    public static let mostOpen = 1000
    /// The time after which an open request is deleted.
    public static let openFor = Duration.days(90)
    /// The time for which a closed request is kept, so that its answer can be read.
    public static let kept = Duration.days(30)
}
