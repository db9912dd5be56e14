import Beacons

/// Decides when a scan must be restarted: time in, decision out.
///
/// A program is not notified that its scan was switched off. But the controller's replies to other programs are
/// visible, and silence is suspicious. The waits double while a restart does not help, so that two programs do not
/// compete for a controller, and a place without any beacons causes few restarts.
struct ScanSupervisor: Sendable {
    enum Reason: Equatable, Sendable {
        case interrupted
        case silent
    }

    static let interruptionWaits = Duration.seconds(1)...(.seconds(60))
    /// The time without an interruption after which the next one counts as the first.
    static let peace = Duration.seconds(300)
    static let silences = Duration.seconds(30)...(.seconds(300))

    /// The time when the scan began or something was last heard; nil while there is no scan.
    private var alive: ScanInstant?
    private var silence = silences.lowerBound
    private var lastInterruption: ScanInstant?
    private var wait = interruptionWaits.lowerBound
    private var due: ScanInstant?

    /// Notes that the scan is running.
    mutating func began(at now: ScanInstant) {
        alive = now
        due = nil
    }

    /// Notes that there is no scan that could be restarted.
    mutating func ended() {
        alive = nil
        due = nil
    }

    /// Notes that a report was received.
    mutating func heard(at now: ScanInstant) {
        guard alive != nil else { return }
        alive = now
        silence = Self.silences.lowerBound
    }

    /// Notes that another program has changed the scan.
    mutating func interrupted(at now: ScanInstant) {
        guard due == nil, alive != nil else { return }
        if let lastInterruption, lastInterruption.duration(to: now) < Self.peace {
            wait = min(wait * 2, Self.interruptionWaits.upperBound)
        } else {
            wait = Self.interruptionWaits.lowerBound
        }
        lastInterruption = now
        due = now.advanced(by: wait)
    }

    /// The reason why the scan must be restarted now, returned once; nil if it need not be.
    mutating func restart(at now: ScanInstant) -> Reason? {
        guard let alive else { return nil }
        if let due, now >= due {
            self.due = nil
            return .interrupted
        }
        guard alive.duration(to: now) >= silence else { return nil }
        self.alive = now
        silence = min(silence * 2, Self.silences.upperBound)
        return .silent
    }
}
