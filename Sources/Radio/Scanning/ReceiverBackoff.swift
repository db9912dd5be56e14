/// The waits between attempts to reach a receiver in the network: they double up to a minute, and are shortened at random
/// by up to a half, so that twenty receivers that lost power together are not called at the same moment.
package struct ReceiverBackoff: Sendable {
    static let waits = Duration.seconds(1)...(.seconds(60))
    /// A connection that lasted this long was a success.
    static let success = Duration.seconds(60)

    private var failures = 0

    package init() {}

    /// The wait after a connection that lasted this long.
    ///
    /// - Parameter random: at least 0, and less than 1.
    package mutating func wait(after lasted: Duration, random: Double) -> Duration {
        if lasted >= Self.success { failures = 0 }
        defer { failures = min(failures + 1, 6) }
        let full = min(Self.waits.lowerBound * (1 << failures), Self.waits.upperBound)
        return full * (1 - 0.5 * min(max(random, 0), 1))
    }
}
