import HummingbirdCore
import OperatingSystem
import Synchronization

/// Limits the number of simultaneous HTTP/2 streams, in total and for each client. A stream costs as much as a
/// connection with HTTP/1.1, so the same numbers limit both.
final class StreamSeats: Sendable {
    private let total: ConnectionGauge
    private let clients: ClientConnections

    /// - Parameters:
    ///   - maximum: the number of streams of all clients.
    ///   - perClient: the number of streams of one client.
    init(maximum: Int, perClient: Int, proxies: TrustedProxies) {
        total = ConnectionGauge(maximum: maximum)
        clients = ClientConnections(maximum: perClient, proxies: proxies)
    }

    /// A stream's seat, which is free again when nothing refers to it.
    final class Seat: Sendable {
        private let seats: StreamSeats
        private let client: NetworkAddress?

        fileprivate init(_ seats: StreamSeats, _ client: NetworkAddress?) {
            self.seats = seats
            self.client = client
        }

        deinit {
            if let client { seats.clients.leave(client) }
            seats.total.connectionClosed()
        }
    }

    /// A seat for a stream of a peer; nil if there is none. Streams of a trusted proxy are only counted together.
    func enter(_ peer: NetworkAddress?) -> Seat? {
        guard total.isAcceptingNewConnections() else { return nil }
        let client = clients.client(peer)
        if let client, !clients.enter(client) { return nil }
        total.connectionOpened()
        return Seat(self, client)
    }
}

/// Counts open connections, and accepts no new ones while there are too many: they wait in the kernel's queue.
final class ConnectionGauge: AvailableConnectionsDelegate {
    private let open = Atomic<Int>(0)
    private let maximum: Int

    init(maximum: Int) { self.maximum = maximum }

    var count: Int { open.load(ordering: .relaxed) }

    func connectionOpened() { open.add(1, ordering: .relaxed) }

    func connectionClosed() { open.subtract(1, ordering: .relaxed) }

    func isAcceptingNewConnections() -> Bool { count < maximum }
}
