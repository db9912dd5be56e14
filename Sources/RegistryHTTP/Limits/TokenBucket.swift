/// A bucket that holds as many requests as a rate allows at once, and fills again evenly.
///
/// All that is kept is the time at which it will be full; a full bucket can be dropped.
struct TokenBucket: Sendable {
    /// In nanoseconds of the clock that the caller reads.
    private(set) var fullAt: Int64 = .min

    /// Takes one request out, or says how many nanoseconds it takes until there is one.
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
    /// Saturates beyond 292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000
    }
}
