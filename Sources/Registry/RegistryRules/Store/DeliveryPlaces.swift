public import RegistryAPI
import Syntax

/// The standing of a channel's receiver, from earlier deliveries.
public enum ReceiverStanding: Int, CaseIterable, Hashable, Sendable {
    /// The receiver responds promptly, or its server is the operator's.
    case proven
    /// Nothing has been delivered to the receiver yet.
    case fresh
    /// The receiver failed, or was slow to respond.
    case failing

    /// The response time beyond which a receiver is slow.
    public static let patience = Duration.seconds(5)
    /// The time after which a slow receiver can be proven again: otherwise one that alternates between responding and
    /// hanging would get the slots of proven ones for half of its deliveries.
    public static let probation = Duration.seconds(3600)

    /// The standing of a new channel. Only a server that an owner names has to prove itself.
    public init(ofNew kind: ChannelKind) { self = kind.leadsToOwnersServer ? .fresh : .proven }

    /// The standing after a delivery.
    ///
    /// - Parameters:
    ///   - answered: whether the receiver accepted it.
    ///   - lastSlow: the time of the last slow delivery to the receiver, this one included.
    public func after(answered: Bool, lastSlow: Timestamp?, at now: Timestamp) -> Self {
        guard answered, lastSlow != now else { return .failing }
        guard self == .failing, let lastSlow else { return .proven }
        return lastSlow.duration(to: now) >= Self.probation ? .proven : .failing
    }
}

extension ChannelKind {
    /// Whether the owner chooses the server for messages.
    public var leadsToOwnersServer: Bool {
        switch self {
        case .webhook, .ntfy, .webpush: true
        case .apns, .email: false
        }
    }
}

/// The slots for concurrent deliveries to receivers of one kind and standing, and those that are taken.
public struct DeliveryPlaces: Hashable, Sendable {
    /// The number of slots.
    public var most: Int
    /// The number of slots that one owner may take. An owner gets a first slot if any is free, but each additional slot
    /// only if several others are free, in the same way as network switches share their buffers with dynamic
    /// thresholds.
    public var ofOwner: Int
    /// The maximum number of concurrent deliveries to one server.
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
    /// Whether no slot is taken.
    public var isFree: Bool { taken == 0 }

    /// Whether there is a slot for another delivery.
    public func admits(_ owner: OwnerID, server: String) -> Bool {
        let (free, own) = (most - taken, owners[owner, default: 0])
        guard free > 0, own < ofOwner, servers[server, default: 0] < ofServer else { return false }
        // Zero if an owner has no limit.
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

/// The slots of all kinds. Alerts of a kind that is not listed here are not delivered.
public typealias AllDeliveryPlaces = [ChannelKind: [ReceiverStanding: DeliveryPlaces]]

extension Channel {
    /// The host name of an address, without port, in lower case; the address itself if it is not a URL.
    public static func server(of address: String) -> String {
        guard let scheme = address.utf8.firstRange(of: "://".utf8) else { return address }
        let authority = address[scheme.upperBound...].part(beforeScalar: { "/?#\\".unicodeScalars.contains($0) })
        let place = authority.split(at: "@", omittingEmptySubsequences: false).last ?? authority
        let end: Unicode.Scalar = place.begins(with: "[") ? "]" : ":"
        let name = place.part(beforeScalar: { $0 == end })
        return (name.dropping(suffix: ".") ?? name).lowercased()
    }
}
