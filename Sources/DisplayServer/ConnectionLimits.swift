import NetworkAddresses
import Synchronization

/// How many connections are open at a time. Guests cannot use up those of the displays: addresses that have used a valid
/// cookie are not counted among the strangers, and of the strangers, whoever has the most makes room.
final class ConnectionLimits: Sendable {
    /// The maximum number of connections from one address, or one IPv6 /64: a browser opens six.
    static let perAddress = 8
    /// The maximum number of connections from all addresses without a display together.
    static let strangers = 32
    /// The maximum number of addresses with a display; one with a phone may change its address.
    static let known = 10

    private struct Connection {
        let id: UInt64
        let address: NetworkAddress
        let end: @Sendable () -> Void
    }

    private struct State {
        var next: UInt64 = 0
        /// The oldest first.
        var open: [Connection] = []
        /// Addresses that used a valid cookie, the latest last.
        var known: [NetworkAddress] = []

        /// The connection that makes room: the oldest of the stranger who has the most.
        var excess: Int? {
            var counts: [NetworkAddress: Int] = [:]
            for connection in open where !known.contains(connection.address) {
                counts[connection.address, default: 0] += 1
            }
            guard counts.values.reduce(0, +) >= ConnectionLimits.strangers else { return nil }
            let most = counts.values.max()
            return open.firstIndex { counts[$0.address] == most }
        }
    }

    private let state = Mutex(State())

    /// Counts a connection.
    ///
    /// - Parameter end: ends the connection if another one needs its place. It is not called after the release.
    /// - Returns: what to release it by; nil if it may not stay open.
    func admit(_ address: NetworkAddress, end: @escaping @Sendable () -> Void) -> UInt64? {
        let address = address.client
        return state.withLock { state in
            guard state.open.count(where: { $0.address == address }) < Self.perAddress else { return nil }
            if !state.known.contains(address), let excess = state.excess {
                state.open.remove(at: excess).end()
            }
            state.next &+= 1
            state.open.append(Connection(id: state.next, address: address, end: end))
            return state.next
        }
    }

    func release(_ id: UInt64) { state.withLock { $0.open.removeAll { $0.id == id } } }

    /// Notes that a display has this address.
    func note(_ address: NetworkAddress) {
        let address = address.client
        state.withLock { state in
            state.known.removeAll { $0 == address }
            state.known.append(address)
            if state.known.count > Self.known { state.known.removeFirst() }
        }
    }
}
