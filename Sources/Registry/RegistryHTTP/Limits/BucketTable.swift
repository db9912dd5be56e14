/// A bounded table of clients' buckets.
///
/// If there are too many clients, full buckets are dropped first, which changes nothing, and then those that will be
/// full soonest. So a client at its limit is never displaced by many newcomers with one request each.
struct BucketTable<Key: Hashable & Sendable>: Sendable {
    private let capacity: Int
    private var buckets: [Key: TokenBucket] = [:]

    /// - Parameter capacity: the maximum number of buckets.
    init(capacity: Int) { self.capacity = max(2, capacity) }

    var count: Int { buckets.count }

    /// Takes one request from a client's bucket and returns nil, or returns the number of nanoseconds until one is
    /// available.
    mutating func take(_ key: Key, _ rate: RequestRate, at now: Int64) -> Int64? {
        if buckets[key] == nil, buckets.count >= capacity { makeRoom(at: now) }
        return buckets[key, default: TokenBucket()].take(rate, at: now)
    }

    /// The number of nanoseconds until a request is available; nil if one is.
    func wait(_ key: Key, _ rate: RequestRate, at now: Int64) -> Int64? {
        (buckets[key] ?? TokenBucket()).wait(rate, at: now)
    }

    /// Drops a client's bucket, as if it had made no request.
    mutating func remove(_ key: Key) { buckets[key] = nil }

    /// Keeps at most half of the buckets, so that this seldom happens.
    private mutating func makeRoom(at now: Int64) {
        buckets = buckets.filter { $0.value.fullAt > now }
        guard buckets.count > capacity / 2 else { return }
        let kept = buckets.sorted { $0.value.fullAt > $1.value.fullAt }.prefix(capacity / 2)
        buckets = Dictionary(kept.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
