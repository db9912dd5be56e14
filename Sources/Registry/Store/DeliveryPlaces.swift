public import RegistryAPI

/// What earlier deliveries say of a channel's receiver.
public enum ReceiverStanding: Int, CaseIterable, Hashable, Sendable {
    /// It answers promptly; or its server is the operator's.
    case proven
    /// Nothing was delivered to it yet.
    case fresh
    /// It failed, or took long to answer.
    case failing

    /// An answer that takes longer is slow.
    public static let patience = Duration.seconds(5)
    /// How long a slow receiver is not proven again: else one that answers and hangs by turns would get the places of
    /// proven ones for half of its deliveries.
    public static let probation = Duration.seconds(3600)

    /// That of a new channel. Only a server that an owner names has to prove itself.
    public init(ofNew kind: ChannelKind) { self = kind.leadsToOwnersServer ? .fresh : .proven }

    /// That after a delivery.
    ///
    /// - Parameters:
    ///   - answered: whether the receiver took it.
    ///   - lastSlow: when a delivery to it was slow the last time, this one included.
    public func after(answered: Bool, lastSlow: Timestamp?, at now: Timestamp) -> Self {
        guard answered, lastSlow != now else { return .failing }
        guard self == .failing, let lastSlow else { return .proven }
        return lastSlow.duration(to: now) >= Self.probation ? .proven : .failing
    }
}

extension ChannelKind {
    /// Whether an owner says which server its messages go to.
    public var leadsToOwnersServer: Bool {
        switch self {
        case .webhook, .ntfy, .webpush: true
        case .apns, .email: false
        }
    }
}

/// The places for deliveries at a time to receivers of one kind and standing, with those that are taken.
public struct DeliveryPlaces: Hashable, Sendable {
    /// How many there are.
    public var most: Int
    /// How many one owner may take. The fewer are free, the fewer an owner gets: one after another as long as one is
    /// free, each further one only while several others are (as switches share their buffers by dynamic thresholds).
    public var ofOwner: Int
    /// How many deliveries to one server there may be.
    public var ofServer: Int
    private var owners: [OwnerID: Int] = [:]
    private var servers: [String: Int] = [:]
    private var taken = 0

    public init(_ most: Int, ofOwner: Int = .max, ofServer: Int = .max) {
        self.most = most
        self.ofOwner = ofOwner
        self.ofServer = ofServer
    }

    public var isFull: Bool { taken >= most }

    /// Whether there is a place for one more delivery.
    public func admits(_ owner: OwnerID, server: String) -> Bool {
        let (free, own) = (most - taken, owners[owner, default: 0])
        guard free > 0, own < ofOwner, servers[server, default: 0] < ofServer else { return false }
        // Zero where an owner is not bounded.
        return own * (most / ofOwner) < free
    }

    public mutating func take(_ owner: OwnerID, server: String) {
        taken += 1
        owners[owner, default: 0] += 1
        servers[server, default: 0] += 1
    }

    public mutating func release(_ owner: OwnerID, server: String) {
        taken = max(0, taken - 1)
        Self.release(owner, &owners)
        Self.release(server, &servers)
    }

    private static func release<Key: Hashable>(_ key: Key, _ counts: inout [Key: Int]) {
        let left = counts[key, default: 0] - 1
        counts[key] = left > 0 ? left : nil
    }
}

/// The places of all kinds. Of a kind that is missing nothing is delivered.
public typealias AllDeliveryPlaces = [ChannelKind: [ReceiverStanding: DeliveryPlaces]]

extension Channel {
    /// The name of the server in an address, without port, in lower case; the address itself where it is no URL.
    public static func server(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        let name = place.hasPrefix("[") ? place.prefix { $0 != "]" } : place.prefix { $0 != ":" }
        return String(name.hasSuffix(".") ? name.dropLast() : name).lowercased()
    }
}
