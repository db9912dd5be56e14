import Beacons

/// Decides when a scan must be restarted: time in, decision out.
///
/// A program is not notified that its scan was switched off. But the controller's replies to other programs are
/// visible, and silence is suspicious. The waits double while a restart does not help, so that two programs do not
/// compete for a controller, and a place without any beacons causes few restarts.
struct ScanSupervisor: Sendable {
    enum Reason: Equatable, Sendable {
        /// Another program has changed the scan.
        case interrupted
        /// Nothing was heard for long.
        case silent
    }

    /// The first wait from an interruption to the restart, and the longest.
    static let interruptionWaits = Duration.seconds(1)...(.seconds(60))
    /// The time without an interruption after which the next one counts as the first.
    static let calmAfter = Duration.seconds(300)
    /// The first silence that causes a restart, and the longest.
    static let silenceLimits = Duration.seconds(30)...(.seconds(300))

    /// The time when the scan began or something was last heard; nil while there is no scan.
    private var lastSign: ScanInstant?
    /// The silence that causes the next restart.
    private var silence = silenceLimits.lowerBound
    private var lastInterruption: ScanInstant?
    private var wait = interruptionWaits.lowerBound
    /// When the scan must be restarted after an interruption; nil if it need not be.
    private var restartDue: ScanInstant?

    /// Notes that the scan is running.
    mutating func began(at now: ScanInstant) {
        lastSign = now
        restartDue = nil
    }

    /// Notes that there is no scan that could be restarted.
    mutating func ended() {
        lastSign = nil
        restartDue = nil
    }

    /// Notes that a report was received.
    mutating func heard(at now: ScanInstant) {
        guard lastSign != nil else { return }
        lastSign = now
        silence = Self.silenceLimits.lowerBound
    }

    /// Notes that another program has changed the scan.
    mutating func interrupted(at now: ScanInstant) {
        guard restartDue == nil, lastSign != nil else { return }
        if let lastInterruption, lastInterruption.duration(to: now) < Self.calmAfter {
            wait = min(wait * 2, Self.interruptionWaits.upperBound)
        } else {
            wait = Self.interruptionWaits.lowerBound
        }
        lastInterruption = now
        restartDue = now.advanced(by: wait)
    }

    /// The reason why the scan must be restarted now, returned once; nil if it need not be.
    mutating func restart(at now: ScanInstant) -> Reason? {
        guard let lastSign else { return nil }
        if let restartDue, now >= restartDue {
            self.restartDue = nil
            return .interrupted
        }
        guard lastSign.duration(to: now) >= silence else { return nil }
        self.lastSign = now
        silence = min(silence * 2, Self.silenceLimits.upperBound)
        return .silent
    }
}
