import HTTPTypes
import Synchronization

/// Counts requests against their limits.
///
/// The memory is bounded: of more clients than the table holds, those that were quiet longest begin anew.
final class RateLimiter: Sendable {
    struct Key: Hashable {
        let kind: RateLimits.Kind
        let high: UInt64
        let low: UInt64
    }

    private let limits: RateLimits
    private let proxies: TrustedProxies
    private let now: @Sendable () -> Int64
    private let buckets: Mutex<RecentTable<Key, TokenBucket>>

    /// - Parameters:
    ///   - capacity: clients that are remembered for certain.
    ///   - now: nanoseconds of a clock that never goes back.
    init(
        _ limits: RateLimits, proxies: TrustedProxies, capacity: Int = 50_000, now: @escaping @Sendable () -> Int64
    ) {
        self.limits = limits
        self.proxies = proxies
        self.now = now
        buckets = Mutex(RecentTable(capacity: capacity))
    }

    /// Counts a request of the client that sent it.
    func admit(_ kind: RateLimits.Kind, _ request: HTTPRequest, of context: RegistryContext) throws(RequestError) {
        // A peer without an address sits on this machine.
        guard case .rate(let rate) = limits[kind],
            let client = proxies.client(peer: context.peer, headers: request.headerFields)?.client
        else { return }
        try admit(Key(kind: kind, high: client.high, low: client.low), rate)
    }

    /// Counts a request with a token, valid or not.
    ///
    /// The text is hashed with this process's random seed: two tokens that meet would share a bucket, nothing more.
    func admit(token: String) throws(RequestError) {
        guard case .rate(let rate) = limits[.token] else { return }
        try admit(Self.key(token), rate)
    }

    /// Forgets what turned out to be no token, so that made-up ones push no real one out of the table.
    func forget(token: String) {
        guard case .rate = limits[.token] else { return }
        buckets.withLock { $0.remove(Self.key(token)) }
    }

    private static func key(_ token: String) -> Key {
        Key(kind: .token, high: UInt64(bitPattern: Int64(token.hashValue)), low: 0)
    }

    private func admit(_ key: Key, _ rate: RequestRate) throws(RequestError) {
        let wait = buckets.withLock { $0.update(key, default: TokenBucket()) { $0.take(rate, at: now()) } }
        guard let wait else { return }
        // Rounded up: a client that waits as told is served.
        throw .tooManyRequests(retryAfter: Int((wait + 999_999_999) / 1_000_000_000))
    }
}

/// A table that keeps at least so many of the keys that were used last, and at most twice as many.
struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private var recent: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { recent.count + older.count }

    mutating func update<Result>(
        _ key: Key, default value: @autoclosure () -> Value, _ change: (inout Value) -> Result
    ) -> Result {
        if recent[key] == nil {
            if recent.count >= capacity {
                older = recent
                recent = [:]
            }
            recent[key] = older.removeValue(forKey: key) ?? value()
        }
        return change(&recent[key, default: value()])
    }

    mutating func remove(_ key: Key) {
        recent[key] = nil
        older[key] = nil
    }
}
