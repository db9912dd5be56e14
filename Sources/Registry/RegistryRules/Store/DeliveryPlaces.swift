public import RegistryAPI
import Syntax

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
    // The slots that are taken, by owner, by server, and all.
    private var owners: [OwnerID: Int] = [:]
    private var servers: [String: Int] = [:]
    private var taken = 0

    public init(_ most: Int, ofOwner: Int = .max, ofServer: Int = .max) {
        self.most = most
        self.ofOwner = ofOwner
        self.ofServer = ofServer
    }

    /// Whether no slot is left.
    public var isFull: Bool { taken >= most }
    /// Whether no slot is taken.
    public var isFree: Bool { taken == 0 }

    /// Whether there is a slot for another delivery of this owner to this server (``Channel/server(of:)``).
    public func admits(_ owner: OwnerID, server: String) -> Bool {
        let free = most - taken
        let own = owners[owner, default: 0]
        guard free > 0, own < ofOwner, servers[server, default: 0] < ofServer else { return false }
        // For each slot that the owner has, this many must be free; zero if an owner has no limit.
        let freePerSlot = most / ofOwner
        return own * freePerSlot < free
    }

    /// Takes a slot, even if ``admits(_:server:)`` is false.
    public mutating func take(_ owner: OwnerID, server: String) {
        taken += 1
        owners[owner, default: 0] += 1
        servers[server, default: 0] += 1
    }

    /// Gives back a slot that was taken for the same owner and server.
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
