public import OperatingSystem
import Synchronization

/// How many connections are open at a time. Guests cannot use up those of the displays: addresses that have used a valid
/// cookie are not counted among the strangers, and are always admitted; of the strangers, the one with the most
/// connections makes room.
///
/// All devices of an IPv6 network share a /64 here, unlike on the Internet, so each address counts by itself. One
/// guest can have any number of addresses there, and they can take the places of strangers of that /64 only.
public final class ConnectionLimits: Sendable {
    /// The maximum number of connections from one address: a browser opens six, and the next ones as soon as it has read
    /// the answers, perhaps before a busy machine has released those. A page of which one file is refused stays empty.
    public static let perAddress = 16
    /// The maximum number of connections from all addresses without a display together.
    static let strangers = 32
    /// The maximum number of those from one IPv6 /64.
    static let strangersOfNetwork = 24
    /// The maximum number of addresses with a display; one with a phone may change its address.
    static let known = 10

    private struct Connection {
        /// What the connection is released by.
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

        /// The connection that makes room for a stranger: the oldest one of the stranger with the most, in the same /64
        /// if that has all its places.
        func excess(for address: NetworkAddress) -> Int? {
            let strangers = open.map(\.address).filter { !known.contains($0) }
            let neighbours = address.v4 == nil ? strangers.filter { $0.client == address.client } : []
            let isFull = neighbours.count >= ConnectionLimits.strangersOfNetwork
            guard isFull || strangers.count >= ConnectionLimits.strangers else { return nil }
            var counts: [NetworkAddress: Int] = [:]
            for stranger in isFull ? neighbours : strangers { counts[stranger, default: 0] += 1 }
            let most = counts.values.max()
            return open.firstIndex { counts[$0.address] == most }
        }
    }

    private let state = Mutex(State())
    private let perAddress: Int

    /// - Parameter perAddress: the maximum number of connections from one address.
    public init(perAddress: Int = ConnectionLimits.perAddress) { self.perAddress = perAddress }

    /// Counts a connection.
    ///
    /// - Parameter end: ends the connection if another one needs its place. It is not called after the release.
    /// - Returns: what to release it by; nil if it may not stay open.
    func admit(_ address: NetworkAddress, end: @escaping @Sendable () -> Void) -> UInt64? {
        state.withLock { state in
            guard state.open.count(where: { $0.address == address }) < perAddress else { return nil }
            if !state.known.contains(address), let excess = state.excess(for: address) {
                state.open.remove(at: excess).end()
            }
            state.next &+= 1
            state.open.append(Connection(id: state.next, address: address, end: end))
            return state.next
        }
    }

    /// Notes that a connection has ended.
    func release(_ id: UInt64) { state.withLock { $0.open.removeAll { $0.id == id } } }

    /// Notes that a display has this address.
    public func note(_ address: NetworkAddress) {
        state.withLock { state in
            state.known.removeAll { $0 == address }
            state.known.append(address)
            if state.known.count > Self.known { state.known.removeFirst() }
        }
    }
}
