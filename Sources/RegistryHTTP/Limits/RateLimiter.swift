import HTTPTypes
import NetworkAddresses
import Registry
import Synchronization

/// Counts requests against their limits.
///
/// Each kind of limit has a table of its own, so that many tokens push out no address, and the other way round.
final class RateLimiter: Sendable {
    struct Key: Hashable {
        let high: UInt64
        let low: UInt64

        fileprivate init(_ address: NetworkAddress) { (high, low) = (address.high, address.low) }

        /// The token's digest: a token is one whatever the spelling of the field around it.
        fileprivate init(_ token: SecretDigest) {
            high = token.bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            low = token.bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// One subscriber often has a /56 or a /48, and so up to 65,536 times a /64: all of a /48 together may do so many times
    /// what one client may.
    static let clientsOfNetwork = 16

    private let limits: RateLimits
    private let proxies: TrustedProxies
    private let now: @Sendable () -> Int64
    /// By kind.
    private let tables: Mutex<[BucketTable<Key>]>

    /// - Parameters:
    ///   - capacity: clients of a kind that are remembered.
    ///   - now: nanoseconds of a clock that never goes back.
    init(
        _ limits: RateLimits, proxies: TrustedProxies, capacity: Int = 50_000, now: @escaping @Sendable () -> Int64
    ) {
        self.limits = limits
        self.proxies = proxies
        self.now = now
        tables = Mutex(RateLimits.Kind.allCases.map { _ in BucketTable(capacity: capacity) })
    }

    /// Counts a request of the client that sent it.
    func admit(_ kind: RateLimits.Kind, _ request: HTTPRequest, of context: RegistryContext) throws(RequestError) {
        // A peer without an address sits on this machine.
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

    /// Forgets what turned out to be no token, so that made-up ones push no real one out of the table.
    func forget(token: String) {
        guard case .rate = limits[.token] else { return }
        let key = Key(SecretDigest(of: token))
        tables.withLock { $0[RateLimits.Kind.token.rawValue].remove(key) }
    }

    private func admit(_ key: Key, _ rate: RequestRate, _ kind: RateLimits.Kind) throws(RequestError) {
        let now = now()
        let wait = tables.withLock { $0[kind.rawValue].take(key, rate, at: now) }
        guard let wait else { return }
        // Rounded up: a client that waits as told is served.
        throw .tooManyRequests(retryAfter: Int((wait + 999_999_999) / 1_000_000_000))
    }
}
