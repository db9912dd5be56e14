public import Beacons
public import RegistryAPI

/// How a finder names the bike.
public enum FoundBike: Hashable, Sendable {
    case sticker(SecretDigest)
    case beacon(BeaconIdentity)

    public var origin: ConversationOrigin {
        switch self {
        case .sticker: .sticker
        case .beacon: .beacon
        }
    }
}

/// A conversation that is begun through the link to a search.
public struct NewSharedConversation: Sendable {
    public var id: ConversationID
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

/// The network of a client, as bytes that its addresses have in common. Never stored: ``FindSenders`` makes a
/// ``FinderNetwork`` of it.
public struct ClientNetwork: Hashable, Sendable {
    /// The bytes that all addresses of the client's subscriber have in common.
    public let subscriber: [UInt8]
    /// The bytes that all addresses of its wider network have in common.
    public let area: [UInt8]

    public init(subscriber: [UInt8], area: [UInt8]) {
        self.subscriber = subscriber
        self.area = area
    }
}

/// The network of a finder, as two numbers that are valid for one day (``FindSenders``).
public struct FinderNetwork: Hashable, Sendable {
    /// An IPv4 address, or the /48 of an IPv6 address.
    public var subscriber: Int64
    /// The /16 of an IPv4 address, or the /32 of an IPv6 address.
    public var area: Int64

    public init(subscriber: Int64 = 0, area: Int64 = 0) {
        self.subscriber = subscriber
        self.area = area
    }
}

/// A conversation that a finder begins.
public struct NewConversation: Sendable {
    public var id: ConversationID
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
