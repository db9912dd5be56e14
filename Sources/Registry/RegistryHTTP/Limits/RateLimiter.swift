import HTTPTypes
import OperatingSystem
import RegistryRules
import Synchronization

/// Counts requests against their limits.
///
/// Each kind of limit has its own table, so that many tokens do not displace addresses, or the other way round.
final class RateLimiter: Sendable {
    /// A client in a table: an address, or a digest's first half.
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

    /// The number of clients whose rate a /48 gets. A subscriber often has a /56 or a /48, up to 65,536 times a /64, so
    /// all addresses of a /48 together get this multiple of one client's rate.
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

    /// A bucket that a request counts against: one client's bucket of a kind.
    struct Count {
        fileprivate let kind: RateLimits.Kind
        fileprivate let key: Key
        fileprivate let rate: RequestRate
    }

    /// Counts a request by its client's address.
    ///
    /// - Throws: `tooManyRequests`, like the other functions of this name.
    func admit(_ kind: RateLimits.Kind, _ request: HTTPRequest, of context: RegistryContext) throws(RequestError) {
        try admit(counts(kind, request, of: context))
    }

    /// Counts a request against several limits, or against none of them if one is reached. So a caller that is refused
    /// because of others loses nothing.
    func admit(_ counts: [Count]) throws(RequestError) {
        let now = now()
        let wait = tables.withLock { tables -> Int64? in
            let wait = counts.compactMap { tables[$0.kind.rawValue].wait($0.key, $0.rate, at: now) }.max()
            guard wait == nil else { return wait }
            for count in counts { _ = tables[count.kind.rawValue].take(count.key, count.rate, at: now) }
            return nil
        }
        try Self.refuse(wait)
    }

    /// The buckets that a request counts against by its client's address.
    func counts(_ kind: RateLimits.Kind, _ request: HTTPRequest, of context: RegistryContext) -> [Count] {
        // A peer without an address is on this machine.
        guard case .rate(let rate) = limits[kind],
            let address = proxies.client(peer: context.peer, headers: request.headerFields)
        else { return [] }
        let client = Count(kind: kind, key: Key(address.client), rate: rate)
        guard let network = address.network else { return [client] }
        return [client, Count(kind: kind, key: Key(network), rate: rate * Self.clientsOfNetwork)]
    }

    /// The buckets that a request counts against by a name of its caller, with any token.
    ///
    /// - Parameter factor: the multiple of one client's rate that the caller gets.
    func counts(_ kind: RateLimits.Kind, by caller: String, times factor: Int = 1) -> [Count] {
        guard case .rate(let rate) = limits[kind] else { return [] }
        return [Count(kind: kind, key: Key(SecretDigest(of: caller)), rate: rate * factor)]
    }

    /// Counts a request with a token, valid or not.
    func admit(token: String) throws(RequestError) {
        guard case .rate(let rate) = limits[.token] else { return }
        let (key, now) = (Key(SecretDigest(of: token)), now())
        try Self.refuse(tables.withLock { $0[RateLimits.Kind.token.rawValue].take(key, rate, at: now) })
    }

    /// Counts a request by a name of its caller, with any token.
    func admit(_ kind: RateLimits.Kind, by caller: String) throws(RequestError) {
        try admit(counts(kind, by: caller))
    }

    /// Removes a text that is not a valid token, so that made-up tokens do not displace real ones.
    func forget(token: String) {
        guard case .rate = limits[.token] else { return }
        let key = Key(SecretDigest(of: token))
        tables.withLock { $0[RateLimits.Kind.token.rawValue].remove(key) }
    }

    private static func refuse(_ wait: Int64?) throws(RequestError) {
        guard let wait else { return }
        // Rounded up, so that a client that waits this long is served.
        throw .tooManyRequests(retryAfter: Int((wait + 999_999_999) / 1_000_000_000))
    }
}
