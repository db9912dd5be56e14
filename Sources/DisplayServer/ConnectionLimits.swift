import NetworkAddresses
import Synchronization

/// How many connections are open at a time. Guests cannot use up those of the displays.
final class ConnectionLimits: Sendable {
    /// The maximum number of connections from one address: a browser opens six.
    static let perAddress = 8
    /// The maximum number of connections from all addresses without a display together.
    static let strangers = 32
    /// The maximum number of addresses with a display; one with a phone may change its address.
    static let known = 10

    private struct State {
        var open: [NetworkAddress: Int] = [:]
        /// Addresses that used a valid cookie, the latest last.
        var known: [NetworkAddress] = []
    }

    private let state = Mutex(State())

    /// Counts a connection.
    ///
    /// - Returns: whether it may stay open; then it must be released.
    func admit(_ address: NetworkAddress) -> Bool {
        state.withLock { state in
            guard state.open[address, default: 0] < Self.perAddress else { return false }
            if !state.known.contains(address) {
                let strangers = state.open.reduce(0) { $0 + (state.known.contains($1.key) ? 0 : $1.value) }
                guard strangers < Self.strangers else { return false }
            }
            state.open[address, default: 0] += 1
            return true
        }
    }

    func release(_ address: NetworkAddress) {
        state.withLock { state in
            let count = state.open[address, default: 0] - 1
            state.open[address] = count > 0 ? count : nil
        }
    }

    /// Notes that a display has this address.
    func note(_ address: NetworkAddress) {
        state.withLock { state in
            state.known.removeAll { $0 == address }
            state.known.append(address)
            if state.known.count > Self.known { state.known.removeFirst() }
        }
    }
}
