import HTTPTypes
import NetworkAddresses
import Registry
import Synchronization

/// Counts requests against their limits.
///
/// Each kind of limit has its own table, so that many tokens do not displace addresses, or the other way round.
final class RateLimiter: Sendable {
    struct Key: Hashable {
        let high: UInt64
        let low: UInt64

        fileprivate init(_ address: NetworkAddress) { (high, low) = (address.high, address.low) }

        /// A key from the token's digest, so that the spelling of the field around the token does not matter.
        fileprivate init(_ token: SecretDigest) {
            high = token.bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            low = token.bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// The number of clients whose rate a /48 gets. A subscriber often has a /56 or a /48, up to 65,536 times a /64,
    /// so all of a /48 together get this multiple of one client's rate.
    static let clientsOfNetwork = 16

    private let limits: RateLimits
    private let proxies: TrustedProxies
    private let now: @Sendable () -> Int64
    /// The tables, indexed by kind.
    private let tables: Mutex<[BucketTable<Key>]>

    /// - Parameters:
    ///   - capacity: the maximum number of clients to remember for each kind.
    ///   - now: nanoseconds of a monotonic clock.
    init(
        _ limits: RateLimits, proxies: TrustedProxies, capacity: Int = 50_000, now: @escaping @Sendable () -> Int64
    ) {
        self.limits = limits
        self.proxies = proxies
        self.now = now
        tables = Mutex(RateLimits.Kind.allCases.map { _ in BucketTable(capacity: capacity) })
    }

    /// Counts a request by its client's address.
    func admit(_ kind: RateLimits.Kind, _ request: HTTPRequest, of context: RegistryContext) throws(RequestError) {
        // A peer without an address is on this machine.
        guard case .rate(let rate) = limits[kind],
            let address = proxies.client(peer: context.peer, headers: request.headerFields)
        else { return }
        try admit(Key(address.client), rate, kind)
        if let network = address.network { try admit(Key(network), rate * Self.clientsOfNetwork, kind) }
    }

    /// Counts a request with a token, valid or not.
    func admit(token: String) throws(RequestError) {
        guard case .rate(let rate) = limits[.token] else { return }
        try admit(Key(SecretDigest(of: token)), rate, .token)
    }

    /// Counts a request by a name of who makes it, with whichever token.
    ///
    /// - Parameter factor: the multiple of one client's rate that the caller gets.
    func admit(_ kind: RateLimits.Kind, by caller: String, times factor: Int = 1) throws(RequestError) {
        guard case .rate(let rate) = limits[kind] else { return }
        try admit(Key(SecretDigest(of: caller)), rate * factor, kind)
    }

    /// Removes a text that is not a valid token, so that made-up tokens do not displace real ones.
    func forget(token: String) {
        guard case .rate = limits[.token] else { return }
        let key = Key(SecretDigest(of: token))
        tables.withLock { $0[RateLimits.Kind.token.rawValue].remove(key) }
    }

    private func admit(_ key: Key, _ rate: RequestRate, _ kind: RateLimits.Kind) throws(RequestError) {
        let now = now()
        let wait = tables.withLock { $0[kind.rawValue].take(key, rate, at: now) }
        guard let wait else { return }
        // Rounded up, so that a client that waits this long is served.
        throw .tooManyRequests(retryAfter: Int((wait + 999_999_999) / 1_000_000_000))
    }
}
