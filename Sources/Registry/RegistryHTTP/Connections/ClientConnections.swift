import OperatingSystem
import Synchronization

/// Counts the connections of each client, so that no client can take all of them.
final class ClientConnections: Sendable {
    private let maximum: Int
    private let proxies: TrustedProxies
    private let open = Mutex<[NetworkAddress: Int]>([:])

    /// - Parameter maximum: the number of connections of one client.
    init(maximum: Int, proxies: TrustedProxies) {
        self.maximum = maximum
        self.proxies = proxies
    }

    /// The client that a peer belongs to; nil if its connections are not limited,
    /// because a trusted proxy has many clients.
    func client(_ peer: NetworkAddress?) -> NetworkAddress? {
        guard let peer, !proxies.isTrusted(peer) else { return nil }
        return peer.client
    }

    /// Counts one more connection if the client may have it; otherwise returns false.
    func enter(_ client: NetworkAddress) -> Bool {
        open.withLock { open in
            guard open[client, default: 0] < maximum else { return false }
            open[client, default: 0] += 1
            return true
        }
    }

    /// Counts one connection less, which ``enter(_:)`` has counted.
    func leave(_ client: NetworkAddress) {
        open.withLock { open in open[client] = open[client].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }
}
