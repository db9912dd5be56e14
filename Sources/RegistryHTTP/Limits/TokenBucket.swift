/// A bucket that holds as many requests as a rate allows at once, and refills evenly.
///
/// Only the time at which it will be full is stored; a full bucket can be dropped.
struct TokenBucket: Sendable {
    /// The time at which the bucket will be full, in nanoseconds of the caller's clock.
    private(set) var fullAt: Int64 = .min

    /// Takes one request, or returns the number of nanoseconds until one is available.
    mutating func take(_ rate: RequestRate, at now: Int64) -> Int64? {
        let interval = rate.interval.nanoseconds
        let next = max(fullAt, now) + interval
        let wait = next - now - interval * Int64(rate.count)
        guard wait <= 0 else { return wait }
        fullAt = next
        return nil
    }
}

extension Duration {
    /// The duration in nanoseconds; saturates beyond 292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000
    }
}
