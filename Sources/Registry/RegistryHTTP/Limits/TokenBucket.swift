/// A bucket that holds as many requests as a rate allows together, and refills evenly.
///
/// Only the time at which it will be full is stored; a full bucket can be dropped.
struct TokenBucket: Sendable {
    /// The time at which the bucket will be full, in nanoseconds of the caller's clock.
    private(set) var fullAt: Int64 = .min

    /// Takes one request and returns nil, or returns the number of nanoseconds until one is available.
    mutating func take(_ rate: RequestRate, at now: Int64) -> Int64? {
        if let wait = wait(rate, at: now) { return wait }
        fullAt = next(rate, at: now)
        return nil
    }

    /// The number of nanoseconds until a request is available; nil if one is.
    func wait(_ rate: RequestRate, at now: Int64) -> Int64? {
        let wait = next(rate, at: now) - now - rate.interval.nanoseconds * Int64(rate.count)
        return wait > 0 ? wait : nil
    }

    /// The time at which the bucket will be full after a request.
    private func next(_ rate: RequestRate, at now: Int64) -> Int64 { max(fullAt, now) + rate.interval.nanoseconds }
}

extension Duration {
    /// The duration in nanoseconds; saturates beyond 292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return product + attoseconds / 1_000_000_000
    }
}
