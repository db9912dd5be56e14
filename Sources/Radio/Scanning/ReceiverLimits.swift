package import Beacons

/// Limits what a receiver in the network may send in a second, so that a flood does not keep this machine busy.
package struct ReceiverRate: Sendable {
    private let maximum: Int
    /// The reports since the beginning of a second.
    private var second: (began: ScanInstant, reports: Int)

    /// - Parameter maximum: the maximum number of reports in a second; more than a radio can hear.
    package init(maximum: Int, start: ScanInstant) {
        self.maximum = maximum
        second = (start, 0)
    }

    /// The time until more than this many reports may be counted; zero if there were fewer in this second.
    package func rest(after reports: Int, at now: ScanInstant) -> Duration {
        let passed = second.began.duration(to: now)
        return second.reports < reports ? .zero : max(.zero, .seconds(1) - passed)
    }

    /// Counts reports; false if there are too many in this second.
    package mutating func allows(_ reports: Int, at now: ScanInstant) -> Bool {
        if second.began.duration(to: now) >= .seconds(1) { second = (now, 0) }
        let (sum, isTooLarge) = second.reports.addingReportingOverflow(reports)
        second.reports = isTooLarge ? .max : sum
        return second.reports <= maximum
    }
}

/// The waits between attempts to reach a receiver in the network: they double up to a minute, and are shortened at random
/// by up to a half, so that twenty receivers that lost power together are not called at the same moment.
package struct ReceiverBackoff: Sendable {
    /// The first wait and the longest.
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
        // After six doublings the longest wait is reached.
        defer { failures = min(failures + 1, 6) }
        let full = min(Self.waits.lowerBound * (1 << failures), Self.waits.upperBound)
        let shortening = 0.5 * min(max(random, 0), 1)
        return full * (1 - shortening)
    }
}
