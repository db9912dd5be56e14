public import RegistryAPI

/// The times of retries after a failed delivery: waits that double, with random spread, until the alert is too old.
public struct RetrySchedule: Sendable {
    /// The first wait.
    public var base = Duration.seconds(5)
    /// The longest wait, unless the receiver asks for a longer one.
    public var longest = Duration.seconds(3600)
    /// The longest wait that a receiver may ask for.
    public var longestAsked = Duration.seconds(86_400)
    /// The age at which an alert is given up.
    public var lifetime = ClaimedAlert.lifetime

    public init() {}

    /// The time of the next attempt after this many attempts, or nil if the alert is given up.
    ///
    /// - Parameter asked: the receiver's `Retry-After`; the wait is never shorter.
    public func nextAttempt(
        after attempts: Int, created: Timestamp, now: Timestamp, asked: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Timestamp? {
        let doublings = min(max(attempts - 1, 0), 20)
        let wait = min(base * (1 << doublings), longest) * Double.random(in: 0.8...1.2, using: &generator)
        let next = now.advanced(by: max(wait, min(asked ?? .zero, longestAsked)))
        return created.duration(to: next) <= lifetime ? next : nil
    }
}
