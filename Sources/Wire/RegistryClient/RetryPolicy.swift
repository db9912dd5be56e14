/// The wait before the next attempt: exponential backoff with equal jitter, but never less than the server asks for.
///
/// Jitter spreads the requests of a region's stations when the registry is back after an outage.
public struct RetryPolicy: Hashable, Sendable {
    /// Upper bound of the first wait.
    public var base: Duration
    /// Upper bound of every wait, except those that the server asks for.
    public var ceiling: Duration
    /// The total number of attempts; nil for no limit.
    public var attempts: Int?
    /// The longest wait that the server may ask for. If it asks for more, the request fails immediately. Nil for any
    /// wait.
    public var patience: Duration?

    /// The longest wait that a server can cause: a hostile or mistaken one cannot silence a station for longer.
    public static let longestAsked = Duration.seconds(3600)

    public init(
        base: Duration = .seconds(1), ceiling: Duration = .seconds(300), attempts: Int? = nil,
        patience: Duration? = nil
    ) {
        self.patience = patience
        self.base = base
        self.ceiling = ceiling
        self.attempts = attempts
    }

    /// The wait after a number of failed attempts, at least one; nil to give up.
    ///
    /// - Parameters:
    ///   - retryAfter: the wait that the server asks for; nil if it asks for none.
    ///   - generator: draws the jitter.
    public func delay(
        afterFailures failures: Int,
        retryAfter: Duration? = nil,
        using generator: inout some RandomNumberGenerator
    ) -> Duration? {
        if let attempts, failures >= attempts { return nil }
        if let patience, let retryAfter, retryAfter > patience { return nil }
        // Twenty doublings exceed every sensible ceiling, and cannot overflow.
        let exponent = min(max(failures, 1) - 1, 20)
        let bound = min(ceiling, base * (1 << exponent))
        // Half of the wait is fixed, so that a draw of zero does not overload a server that has just failed.
        let wait = bound * Double.random(in: 0.5...1, using: &generator)
        return max(wait, min(retryAfter ?? .zero, Self.longestAsked))
    }
}
