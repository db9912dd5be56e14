import HummingbirdCore
import Logging
import NIOCore
import NetworkAddresses
import Synchronization

/// Counts the connections of each client, so that one alone cannot take all places.
final class ClientConnections: Sendable {
    private let maximum: Int
    private let proxies: TrustedProxies
    private let open = Mutex<[NetworkAddress: Int]>([:])

    init(maximum: Int, proxies: TrustedProxies) {
        self.maximum = maximum
        self.proxies = proxies
    }

    /// What a peer counts as; nil where its connections are not limited: a trusted proxy speaks for many clients.
    func client(_ peer: NetworkAddress?) -> NetworkAddress? {
        guard let peer, !proxies.isTrusted(peer) else { return nil }
        return peer.client
    }

    /// Whether the client may have one more, which then is counted.
    func enter(_ client: NetworkAddress) -> Bool {
        open.withLock { open in
            guard open[client, default: 0] < maximum else { return false }
            open[client, default: 0] += 1
            return true
        }
    }

    func leave(_ client: NetworkAddress) {
        open.withLock { open in open[client] = open[client].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }
}

/// Closes at once what a client opens beyond its share.
struct SharedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let clients: ClientConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        guard let client = clients.client(channel.remoteAddress.flatMap(NetworkAddress.init)) else {
            return base.setup(channel: channel, logger: logger)
        }
        guard clients.enter(client) else {
            // A failure of the set-up would be the whole server’s; the handler of a closed connection just ends.
            return base.setup(channel: channel, logger: logger).map { value in
                channel.close(promise: nil)
                return value
            }
        }
        channel.closeFuture.whenComplete { [clients] _ in clients.leave(client) }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
