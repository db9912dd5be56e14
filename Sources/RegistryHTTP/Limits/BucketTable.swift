/// The buckets of at most so many clients.
///
/// Where there are more clients, full buckets are forgotten first, which changes nothing, and then those that are full
/// soonest: a client at its limit is never pushed out by many newcomers who asked once.
struct BucketTable<Key: Hashable & Sendable>: Sendable {
    private let capacity: Int
    private var buckets: [Key: TokenBucket] = [:]

    init(capacity: Int) { self.capacity = max(2, capacity) }

    var count: Int { buckets.count }

    /// Takes one request out of a client's bucket, or says how many nanoseconds it takes until there is one.
    mutating func take(_ key: Key, _ rate: RequestRate, at now: Int64) -> Int64? {
        if buckets[key] == nil, buckets.count >= capacity { makeRoom(at: now) }
        return buckets[key, default: TokenBucket()].take(rate, at: now)
    }

    mutating func remove(_ key: Key) { buckets[key] = nil }

    /// Keeps half of the buckets at most, so that this seldom happens.
    private mutating func makeRoom(at now: Int64) {
        buckets = buckets.filter { $0.value.fullAt > now }
        guard buckets.count > capacity / 2 else { return }
        let kept = buckets.sorted { $0.value.fullAt > $1.value.fullAt }.prefix(capacity / 2)
        buckets = Dictionary(kept.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
