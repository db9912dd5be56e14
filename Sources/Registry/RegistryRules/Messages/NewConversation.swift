public import Beacons
public import RegistryAPI

/// A conversation that a finder begins, to be stored.
public struct NewConversation: Sendable {
    public var id: ConversationID
    /// The digest of the conversation's secret (``ConversationSecret/digest``).
    public var secret: SecretDigest
    public var found: FoundBike
    public var network: FinderNetwork
    public var text: String
    public var time: Timestamp

    public init(
        id: ConversationID, secret: SecretDigest, found: FoundBike, network: FinderNetwork, text: String,
        time: Timestamp
    ) {
        self.id = id
        self.secret = secret
        self.found = found
        self.network = network
        self.text = text
        self.time = time
    }
}

/// A conversation that is begun through the link to a search.
public struct NewSharedConversation: Sendable {
    public var id: ConversationID
    /// The digest of the conversation's secret (``ConversationSecret/digest``).
    public var secret: SecretDigest
    /// The digest of the link's secret.
    public var share: SecretDigest
    public var network: FinderNetwork
    public var text: String
    public var time: Timestamp

    public init(
        id: ConversationID, secret: SecretDigest, share: SecretDigest, network: FinderNetwork, text: String,
        time: Timestamp
    ) {
        self.id = id
        self.secret = secret
        self.share = share
        self.network = network
        self.text = text
        self.time = time
    }
}

/// How a finder names the bike.
public enum FoundBike: Hashable, Sendable {
    /// By the digest of the sticker's code.
    case sticker(SecretDigest)
    case beacon(BeaconIdentity)

    public var origin: ConversationOrigin {
        switch self {
        case .sticker: .sticker
        case .beacon: .beacon
        }
    }
}
